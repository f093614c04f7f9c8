/** Headers of requests and responses. */
import type { JsonObject } from '../../kernel/ports/event-store.ts';

interface HeaderParameter extends JsonObject {
  readonly name: string;
}

/** Keyed by component name. */
export const HEADER_PARAMETERS = {
  RequestId: parameter(
    'X-Request-Id',
    'Identifies the call in its response and in the log; generated if absent.',
    { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
    'checkout-7f3a',
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'A repeated call with the same key returns the first response again, without a second effect.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ),
  AfterPosition: parameter(
    'X-After-Position',
    '`X-Position` of an earlier response: this response then reflects the log at least up to that position.',
    { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
    '00000000000000000001',
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    '`id` of the last event received: the stream continues after it.',
    { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
    '00000000000000000001',
  ),
  IfMatch: parameter(
    'If-Match',
    '`ETag` of the last read: the change is refused if it is not the latest version.',
    { type: 'string' },
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
  Prefer: parameter(
    'Prefer',
    '`respond-async`: responds with 202 immediately instead of waiting for the outcome; `respond-async, ' +
      'wait=10` after ten seconds at the latest (RFC 7240).',
    { type: 'string', maxLength: 200 },
    'respond-async',
  ),
  Range: parameter(
    'Range',
    'One range of bytes, which is returned with 206. For several ranges, and for other units, the whole file is returned.',
    { type: 'string' },
    'bytes=0-16383',
  ),
  IfRange: parameter(
    'If-Range',
    '`ETag` of the last read: `Range` applies only if it is the latest version.',
    { type: 'string' },
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    '`ETag` of the last read: the response is 304 without a body if it is the latest version.',
    { type: 'string' },
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
} as const satisfies { readonly [component: string]: HeaderParameter };

export type HeaderParameterName = keyof typeof HEADER_PARAMETERS;

const COUNT: JsonObject = { type: 'integer', format: 'int32' };

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    ...header('Identifies the call, also in the log.', { type: 'string' }, 'checkout-7f3a'),
    required: true,
  },
  'X-Position': header(
    'Position in the log up to which the response reflects events; send it as `X-After-Position`.',
    { type: 'string' },
    '00000000000000000001',
  ),
  Location: header(
    'Address of the outcome.',
    { type: 'string' },
    '/transactions/7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ),
  'Preference-Applied': header(
    'Preference of the call that was applied.',
    { type: 'string' },
    'respond-async',
  ),
  ETag: header(
    "Version of the response's content; send it as `If-Match` or `If-None-Match`.",
    { type: 'string' },
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
  'Cache-Control': header(
    'Caching of the response. `no-store` for every response to a caller with a token or a key.',
    { type: 'string' },
    'public, max-age=31536000, immutable',
  ),
  'Accept-Ranges': header('Unit of `Range`.', { type: 'string' }, 'bytes'),
  'Content-Range': header(
    'Range of bytes, and the size of the file.',
    { type: 'string' },
    'bytes 0-16383/8200143',
  ),
  RateLimit: header(
    'Remaining calls of the limit that counted the call, and the seconds until its window ends.',
    { type: 'string' },
    '"general";r=99;t=900',
  ),
  'RateLimit-Policy': header(
    'Quota, and window in seconds, of the limit that counted the call.',
    { type: 'string' },
    '"general";q=100;w=900',
  ),
  'X-RateLimit-Limit': header('Calls allowed in a window.', COUNT, 100),
  'X-RateLimit-Remaining': header('Calls left in the window.', COUNT, 99),
  'X-RateLimit-Reset': header(
    'End of the window, in Unix seconds.',
    { type: 'integer', format: 'int64' },
    1_767_225_600,
  ),
  'Retry-After': header('Seconds after which to retry the call.', COUNT, 5),
  'Accept-Encoding': header('The only accepted coding of a request body.', { type: 'string' }, 'identity'),
  'WWW-Authenticate': header('Authentication scheme.', { type: 'string' }, 'Bearer'),
} as const;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

export const RATE_LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly ResponseHeaderName[];

/** References to the headers, by name. */
export function headersOf(names: readonly ResponseHeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parameter(name: string, description: string, schema: JsonObject, example: string) {
  return { name, in: 'header', required: false, description, schema, example };
}

function header(description: string, schema: JsonObject, example: string | number): JsonObject {
  return { description, schema, example };
}
