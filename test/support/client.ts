/** Calls the service over HTTP, and holds every answer to the description of the API and to what it cannot say of refusals. */

import { statusesOf } from '../../src/reference/openapi/route-codes.ts';
import { REJECTION_CODES, type RejectionCode } from '../../src/streams/rejections.ts';
import { afterTheFile } from './after-the-file.ts';
import { problemSchemaFault, undescribed } from './api-description.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly error: string;
  readonly requestId: string;
  readonly details?: readonly { readonly path: readonly string[]; readonly message: string }[];
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

/** Highest reported log position, by origin, of the services registered with `readOwnWrites`. */
const written = new Map<string, string>();

/** From now on, reads of this service name the position of the latest write, as careful clients do. */
export function readOwnWrites(url: string): void {
  const { origin } = new URL(url);
  written.set(origin, '');
  // Another service may get the port.
  afterTheFile(async () => void written.delete(origin));
}

function afterOwnWrites(request: Request): void {
  const position = written.get(new URL(request.url).origin);
  if (request.method === 'GET' && position && !request.headers.has('x-after-position'))
    request.headers.set('x-after-position', position);
}

function rememberWrite(request: Request, { headers }: Response): void {
  const { origin } = new URL(request.url);
  const known = written.get(origin);
  const position = headers.get('x-position') ?? '';
  if (known !== undefined && position > known) written.set(origin, position);
}

export function createClient(url: string): Client {
  async function call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
    const answer = await checkedAnswer(new Request(`${url}${path}`, requestOf(method, options)));
    return answer as Answer<Body>;
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

/** As `fetch`, with the whole answer; of a stream only its head. Rejects if no service of ours may answer like that. */
export async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { status, headers, bytes } = await checkedAnswer(new Request(input, init));
  return new Response(bytes.length === 0 ? null : bytes, { status, headers });
}

async function checkedAnswer(request: Request): Promise<Answer<unknown>> {
  const { method } = request;
  const { pathname: path } = new URL(request.url);
  afterOwnWrites(request);
  const response = await fetch(request);
  rememberWrite(request, response);
  const { status, headers } = response;
  const bytes = await bytesOf(response);
  const body = jsonIn(response, bytes);
  const fault =
    undescribed({ method, path, status, headers, body }) ??
    (isProblem(response) && method !== 'HEAD' ? problemFault(body, status, headers) : undefined);
  if (fault !== undefined) {
    const told = (JSON.stringify(body) ?? '').slice(0, 500);
    throw new Error(`${method} ${path} answered ${status} ${told}: ${fault}`);
  }
  return { status, headers, body, bytes };
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return new Uint8Array(await response.arrayBuffer());
  }
  await response.body?.cancel();
  return new Uint8Array();
}

function isProblem({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/problem+json') ?? false;
}

function jsonIn({ headers }: Response, bytes: Uint8Array): unknown {
  const isJson = /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
  return isJson && bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
}

/** What keeps an answer from being a whole problem with a documented code; undefined if nothing does. */
export function problemFault(body: unknown, status: number, headers: Headers): string | undefined {
  if (headers.get('content-type') !== 'application/problem+json; charset=utf-8') return 'not a problem';
  const fault = problemSchemaFault(body);
  if (fault !== undefined) return fault;
  const problem = body as Problem & { readonly code: RejectionCode };
  if (problem.status !== status || !statusesOf(problem.code).includes(status))
    return 'its code has another status';
  if (problem.title !== REJECTION_CODES[problem.code].title) return 'its code has another title';
  if (problem.error !== problem.detail || problem.error.length < 10) return 'it tells no sentence';
  if (/\n|node_modules|\.[jt]s:\d|FST_/.test(problem.error)) return 'it tells of our insides';
  if (problem.requestId !== headers.get('x-request-id')) return 'it names another request';
  if (!problem.instance.startsWith('/') || problem.instance.includes('?')) return 'its instance is no path';
  return undefined;
}
