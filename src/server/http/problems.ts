/** Converts rejections to `application/problem+json` (RFC 9457). No other module maps a rejection to an HTTP status. */
import { ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { ContentDamaged, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { CollectionNotLive } from '../../kernel/ports/read-model.ts';
import { EventUndecodable } from '../../kernel/runtime/event-codec.ts';
import { Rejection, type RejectionKind } from '../../kernel/runtime/rejection.ts';
import {
  contentDamagedRejection,
  invalidChainAnswerRejection,
  REJECTION_CODES,
  rejection,
} from '../../streams/rejections.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

export const STATUS_OF_KIND: { readonly [kind in RejectionKind]: number } = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'not-allowed': 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'too-large': 413,
  'uri-too-long': 414,
  unsupported: 415,
  unsatisfiable: 416,
  unprocessable: 422,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  'bad-gateway': 502,
  unavailable: 503,
  pending: 504,
};

/** Path of the page that explains a code, relative to the service's address. */
export function problemTypeOf(code: string): string {
  return `/docs/errors/${code}`;
}

export function problemOf(refused: Rejection, request: { readonly url: string; readonly id: string }) {
  const titles: { readonly [code: string]: { readonly title: string } } = REJECTION_CODES;
  return {
    type: problemTypeOf(refused.code),
    title: titles[refused.code]?.title ?? refused.code,
    status: STATUS_OF_KIND[refused.kind],
    detail: refused.message,
    /** Requested path, without the query. */
    instance: request.url.split('?', 1)[0] ?? '',
    /** Stable code for programs. */
    code: refused.code,
    /** Copy of `detail`, under the name that clients of other services read. */
    error: refused.message,
    requestId: request.id,
    ...(refused.details === undefined ? {} : { details: refused.details }),
    ...refused.members,
  };
}

/** Converts an error to a rejection; undefined for unexpected errors, which are logged. */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (error instanceof Rejection) return error;
  if (error instanceof ChainUnavailable) {
    return rejection('CHAIN_UNAVAILABLE', 'The chain is not responding; try again.', {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof ChainAnswerInvalid) return invalidChainAnswerRejection();
  if (error instanceof StoreUnavailable) {
    return rejection('STORE_UNAVAILABLE', 'The store is unavailable; try again.', {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof ContentDamaged) return contentDamagedRejection(error);
  if (error instanceof CollectionNotLive) {
    return rejection('STORE_UNAVAILABLE', `${capitalized(error.message)}; try again.`, {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof EventUndecodable) {
    return rejection(
      'EVENT_UNDECODABLE',
      'A recorded event that this call needs cannot be decoded; the operator has been alerted.',
      { retryAfterSeconds: 60, cause: error },
    );
  }
  return ofFramework(error);
}

/** Translates Fastify's own errors by code. Their messages contain internals and are never returned. */
function ofFramework(error: unknown): Rejection | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return rejection('UNSUPPORTED_MEDIA_TYPE', 'Unsupported content type.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return rejection('BODY_TOO_LARGE', 'The body is too large.');
    case 'FST_ERR_BAD_URL':
      return rejection('VALIDATION_FAILED', 'The path is not well-formed.');
    default: {
      const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
      if (status >= 500) return undefined;
      return rejection('VALIDATION_FAILED', 'The request is not valid HTTP.');
    }
  }
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
