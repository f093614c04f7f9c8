/** Calls the service over HTTP, and holds every answer to what holds for all: no undocumented fault, every refusal a whole problem. */

import { commands } from '../../src/commands/index.ts';
import { STATUS_OF_KIND } from '../../src/http/problems.ts';
import { queries } from '../../src/queries/index.ts';
import type { RejectionKind } from '../../src/runtime/rejection.ts';
import { REJECTION_CODES, type RejectionCode } from '../../src/streams/rejections.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly error: string;
  readonly requestId: string;
  readonly details?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined where the answer is something else. */
  readonly body: Body;
  readonly bytes: Uint8Array;
}

export interface CallOptions {
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Access token. */
  readonly token?: string | undefined;
  readonly operatorKey?: string | undefined;
}

export interface Client {
  readonly url: string;
  /** Resolves with whatever the answer is. Rejects if no service of ours may answer like that. */
  call<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>;
  /** Resolves with the body of a success; rejects with the problem's code and detail otherwise. */
  ask<Body>(method: string, path: string, options?: CallOptions): Promise<Body>;
  /** Resolves with the problem; rejects unless the call is refused with this code. */
  refusal(code: RejectionCode, method: string, path: string, options?: CallOptions): Promise<Problem>;
}

export function createClient(url: string): Client {
  async function call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
    const response = await fetch(`${url}${path}`, requestOf(method, options));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
    const body: unknown = isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
    const answer = { status: response.status, headers: response.headers, body: body as Body, bytes };
    requireAllowed(answer, `${method} ${path}`);
    return answer;
  }

  async function ask<Body>(method: string, path: string, options?: CallOptions): Promise<Body> {
    const { status, body } = await call<Body>(method, path, options);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  return {
    url,
    call,
    ask,
    async refusal(code, method, path, options) {
      const { status, body } = await call<Problem>(method, path, options);
      if (status < 400 || body.code !== code) {
        throw new Error(`${method} ${path} answered ${status} instead of ${code}: ${JSON.stringify(body)}`);
      }
      return body;
    },
  };
}

function requestOf(method: string, { headers, json, body, token, operatorKey }: CallOptions): RequestInit {
  const sent = json === undefined ? body : JSON.stringify(json);
  return {
    method,
    redirect: 'error',
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(operatorKey === undefined ? {} : { 'x-operator-key': operatorKey }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  };
}

/** Throws if the answer is none that the contract allows, whatever was asked. */
function requireAllowed({ status, headers, body }: Answer<unknown>, what: string): void {
  const told = `${what} answered ${status} ${JSON.stringify(body)}`;
  if (headers.get('x-request-id') === null) throw new Error(`${told} without x-request-id`);
  if (status < 400 || (status === 503 && what === 'GET /ready')) return;
  const fault = problemFault(body, status, headers) ?? undeclaredCode(what, body as Problem);
  if (fault !== undefined) throw new Error(`${told}: ${fault}`);
}

/** Those that a route need not declare, since every one may give them. */
const CODES_OF_ALL: readonly string[] = [
  'VALIDATION_FAILED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'ROUTE_NOT_FOUND',
  'UNAUTHENTICATED',
  'TOKEN_EXPIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'CONCURRENT_CHANGE',
  'RATE_LIMITED',
  'STORE_UNAVAILABLE',
];

const declared = [...commands, ...queries].map(({ route: { method, url }, rejections }) => ({
  pattern: new RegExp(`^${method} ${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  rejections,
}));

function undeclaredCode(what: string, { code }: Problem): string | undefined {
  if (CODES_OF_ALL.includes(code)) return undefined;
  const [path = ''] = what.split('?', 1);
  const candidates = declared.filter(({ pattern }) => pattern.test(path));
  const isDeclared =
    candidates.length === 0 || candidates.some(({ rejections }) => rejections.includes(code));
  return isDeclared ? undefined : 'its route does not declare its code';
}

/** What keeps an answer from being a whole problem with a documented code; undefined if nothing does. */
export function problemFault(body: unknown, status: number, headers: Headers): string | undefined {
  if (headers.get('content-type') !== 'application/problem+json; charset=utf-8') return 'not a problem';
  if (typeof body !== 'object' || body === null) return 'no object';
  const { details, ...problem } = body as Problem;
  const names = Object.keys(problem).sort().join();
  if (names !== 'code,detail,error,instance,requestId,status,title,type') return `it has ${names}`;
  const entry = Object.entries(REJECTION_CODES).find(([code]) => code === problem.code)?.[1];
  if (entry === undefined) return 'its code is not documented';
  const kinds: readonly RejectionKind[] = 'otherKind' in entry ? [entry.kind, entry.otherKind] : [entry.kind];
  if (problem.status !== status || !kinds.some((kind) => STATUS_OF_KIND[kind] === status))
    return 'its code has another status';
  if (problem.title !== entry.title) return 'its code has another title';
  if (problem.error !== problem.detail || problem.error.length < 10) return 'it tells no sentence';
  if (/\n|node_modules|\.[jt]s:\d|FST_/.test(problem.error)) return 'it tells of our insides';
  if (problem.requestId !== headers.get('x-request-id')) return 'it names another request';
  if (!problem.instance.startsWith('/') || problem.instance.includes('?')) return 'its instance is no path';
  const areSound = (details ?? []).every(
    (detail) =>
      Object.keys(detail).sort().join() === 'message,path' &&
      typeof detail.message === 'string' &&
      Array.isArray(detail.path),
  );
  return areSound ? undefined : 'its details are unsound';
}
