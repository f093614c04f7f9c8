/**
 * Describes all refusals by one schema. The possible codes of a response are in its `x-codes`: client generators create
 * a type for each schema that narrows another, or drop the response.
 */

import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { problemTypeOf } from '../../server/http/problems.ts';
import { REJECTION_CODES, type RejectionCode } from '../../streams/rejections.ts';
import { rejectionTable } from '../rejection-table.ts';
import { headersOf, RATE_LIMIT_HEADERS, type ResponseHeaderName } from './headers.ts';
import { withEnumNames } from './json-schema.ts';

const PROBLEM = '#/components/schemas/Problem';
/** Statuses whose responses may contain `Retry-After`. */
const STATUSES_TO_WAIT_AFTER: readonly number[] = [409, 429, 502, 503, 504];

const REASONS: { readonly [status: number]: string } = {
  400: 'The request is not valid.',
  401: 'The caller is not signed in.',
  403: 'The caller may not do this.',
  404: 'The resource does not exist.',
  409: 'The call conflicts with the current state.',
  410: 'The resource has expired or was replaced.',
  412: 'The resource has changed since it was read.',
  413: 'The request body is too large.',
  415: 'The type of the request body is not supported.',
  416: 'The requested range starts after the end of the file.',
  422: 'The request is well-formed, but cannot be carried out.',
  429: 'Too many calls.',
  502: 'The chain node returned an invalid response.',
  503: 'The service is unavailable; try again later.',
  504: 'The outcome is pending.',
};

const problemSchema: JsonObject = {
  description: `Problem document (RFC 9457). Programs compare \`code\`:\n\n${rejectionTable()}`,
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'error', 'requestId'],
  properties: {
    type: {
      type: 'string',
      description: 'Address of a page about the code, relative to the address of the call.',
    },
    title: { type: 'string', description: 'Short description of the code.' },
    status: { type: 'integer', format: 'int32', description: 'HTTP status.' },
    detail: {
      type: 'string',
      description: 'Description of the problem for people. Its wording may change.',
    },
    instance: { type: 'string', description: 'Requested path.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    error: { type: 'string', description: 'Copy of `detail`.' },
    requestId: { type: 'string', description: 'Value of `X-Request-Id`.' },
    details: {
      type: 'array',
      description: 'Invalid fields; required and available lamports; log lines of the chain.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'array',
            items: { type: 'string' },
            description: 'Names of the members that lead to the field; list indexes as digits.',
          },
          message: { type: 'string' },
        },
      },
    },
    neighbours: {
      type: 'object',
      description:
        "With `PAYMENT_NOT_FOUND`: the two adjacent leaves between which the wallet's leaf would be, as in the " +
        'response of `getPayment`. `after` is null after the last leaf.',
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
  ProblemCode: withEnumNames('ProblemCode', {
    type: 'string',
    enum: Object.keys(REJECTION_CODES),
  }),
};

/** Response for statuses that are not described individually, for typed clients. */
export const DEFAULT_RESPONSE: JsonObject = {
  description: 'Any other error, such as 500 `INTERNAL_ERROR`.',
  headers: headersOf(['X-Request-Id']),
  content: { 'application/problem+json': { schema: { $ref: PROBLEM } } },
};

/** Meaning of a status on a route besides an error. */
interface OtherAnswer {
  readonly description: string;
  readonly content: JsonObject;
}

/** Response of one status. Each route has its own, because examples contain its path (`instance`). */
export function problemResponse(
  status: number,
  codes: readonly RejectionCode[],
  instance: string,
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
    description: [besides?.description ?? [], REASONS[status] ?? [], ...meanings].flat().join('\n\n'),
    headers: headersOf(headers),
    'x-codes': [...codes],
    content: {
      ...besides?.content,
      'application/problem+json': {
        schema: { $ref: PROBLEM },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, status, instance)])),
      },
    },
  };
}

function exampleOf(code: RejectionCode, status: number, instance: string): JsonObject {
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
    },
  };
}
