/**
 * Describes refusals by one schema. The possible codes of an answer are in its `x-codes`: client generators create a type for
 * each schema that narrows another, or drop the answer.
 */

import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { problemTypeOf } from '../../server/http/problems.ts';
import { REJECTION_CODES, type RejectionCode } from '../../streams/rejections.ts';
import { rejectionTable } from '../rejection-table.ts';
import { headersOf, RATE_LIMIT_HEADERS, type ResponseHeaderName } from './headers.ts';
import { withWordNames } from './json-schema.ts';

const PROBLEM = '#/components/schemas/Problem';
/** Answers with these statuses may say when to try again. */
const STATUSES_TO_WAIT_AFTER: readonly number[] = [409, 429, 502, 503, 504];

const REASONS: { readonly [status: number]: string } = {
  400: 'The request is not valid.',
  401: 'The caller is not signed in.',
  403: 'The caller may not do this.',
  404: 'It does not exist.',
  409: 'It conflicts with the present state.',
  410: 'It has expired or was replaced.',
  412: 'The resource has changed since it was read.',
  413: 'It is too large.',
  415: 'It is of the wrong type.',
  422: 'The request is well-formed, but cannot be carried out.',
  429: 'Too many calls.',
  502: 'The chain node gave an invalid answer.',
  503: 'Unavailable at the moment; try again later.',
  504: 'The outcome is pending.',
};

const problemSchema: JsonObject = {
  description: `A refusal (RFC 9457). Programs compare \`code\`:\n\n${rejectionTable()}`,
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'error', 'requestId'],
  properties: {
    type: {
      type: 'string',
      description: 'The address of a page about the code, relative to that of the call.',
    },
    title: { type: 'string', description: 'The same for every problem with this code.' },
    status: { type: 'integer', format: 'int32', description: 'The HTTP status.' },
    detail: {
      type: 'string',
      description: 'The problem in a sentence for people. Its wording may change.',
    },
    instance: { type: 'string', description: 'The requested path.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    error: { type: 'string', description: 'The same sentence as `detail`.' },
    requestId: { type: 'string', description: 'The same as `X-Request-Id`.' },
    details: {
      type: 'array',
      description: 'Each invalid field; lamports needed and found; what the chain logged.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'array',
            items: { type: 'string' },
            description: 'The members that lead to it; places in a list as digits.',
          },
          message: { type: 'string' },
        },
      },
    },
    neighbours: {
      type: 'object',
      description:
        "With `PAYMENT_NOT_FOUND`: the two adjacent leaves between which the wallet's would be, as in the " +
        'answer of `getPayment`. `after` is null after the last leaf.',
      required: ['before', 'after'],
      properties: {
        before: { type: 'object', additionalProperties: true },
        after: { type: ['object', 'null'], additionalProperties: true },
      },
    },
    root: { type: 'string', description: "Root of the ledger's Merkle tree; only with `neighbours`." },
  },
};

export const PROBLEM_SCHEMAS: JsonObject = {
  Problem: problemSchema,
  ProblemCode: withWordNames('ProblemCode', {
    type: 'string',
    enum: Object.keys(REJECTION_CODES),
  }),
};

/** Response that typed clients use for statuses without one of their own. */
export const DEFAULT_RESPONSE: JsonObject = {
  description: 'Another refusal, such as 500 `INTERNAL_ERROR`.',
  headers: headersOf(['X-Request-Id']),
  content: { 'application/problem+json': { schema: { $ref: PROBLEM } } },
};

/** Meaning of a status on a route besides a refusal. */
interface OtherAnswer {
  readonly description: string;
  readonly content: JsonObject;
}

/** A call that is refused, for examples. */
interface RefusedCall {
  /** Its path. */
  readonly instance: string;
  /** Examples of invalid fields; empty without any. */
  readonly details: readonly JsonObject[];
}

/** Each route has its own, since examples name its path. */
export function problemResponse(
  status: number,
  codes: readonly RejectionCode[],
  call: RefusedCall,
  besides?: OtherAnswer,
): JsonObject {
  const meanings = codes.map((code) => `\`${code}\`: ${REJECTION_CODES[code].title}.`);
  const headers: readonly ResponseHeaderName[] = [
    'X-Request-Id',
    'Cache-Control',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 415 ? (['Accept-Encoding'] as const) : []),
    ...(STATUSES_TO_WAIT_AFTER.includes(status) ? (['Retry-After'] as const) : []),
    ...RATE_LIMIT_HEADERS,
  ];
  return {
    description: [besides?.description ?? [], REASONS[status] ?? '', ...meanings].flat().join('\n\n'),
    headers: headersOf(headers),
    'x-codes': [...codes],
    content: {
      ...besides?.content,
      'application/problem+json': {
        schema: { $ref: PROBLEM },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, status, call)])),
      },
    },
  };
}

function exampleOf(code: RejectionCode, status: number, { instance, details }: RefusedCall): JsonObject {
  const { title } = REJECTION_CODES[code];
  return {
    summary: title,
    value: {
      type: problemTypeOf(code),
      title,
      status,
      detail: `${title}.`,
      instance,
      code,
      error: `${title}.`,
      requestId: 'checkout-7f3a',
      ...(code === 'VALIDATION_FAILED' && details.length > 0 ? { details: [...details] } : {}),
    },
  };
}
