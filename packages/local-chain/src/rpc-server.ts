/** JSON-RPC 2.0 over HTTP on loopback: envelopes, batches and limits, independent of the methods. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CallId, callId, parseCalls } from './call-ids.ts';
import { encodeJson, type Json, jsonChunks, LongList } from './json.ts';
import {
  internalError,
  invalidParams,
  invalidRequest,
  LedgerBehind,
  methodNotFound,
  parseError,
  RpcError,
} from './rpc-error.ts';

export interface RpcHandler {
  /** Executes one call; undefined if the method does not exist. Throws RpcError, or LedgerBehind to stop the process. */
  call(method: string, params: readonly unknown[]): Json | undefined | Promise<Json | undefined>;
  /** Resolves when the effects of all calls so far are on disk. No response is sent before. */
  durable(): Promise<void>;
  /** Must exit the process immediately, without a response. */
  fatal(error: LedgerBehind): never;
  /** Receives a bug of ours; the caller gets an internal error. */
  fault(error: unknown): void;
}

export interface RpcServer {
  readonly port: number;
  close(): Promise<void>;
}

const BODY_LIMIT = 1_048_576;
const BATCH_LIMIT = 1_000;
/** Characters per write. */
const CHUNK_LENGTH = 65_536;
/** Longer than clients hold idle connections (web3.js: 19 s), so that clients close them first. */
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** Time for responses in progress when the server closes. */
const CLOSING_MILLISECONDS = 500;

/** Listens on 127.0.0.1; port 0 selects a free port. */
export function openRpcServer(port: number, handler: RpcHandler): Promise<RpcServer> {
  const server = createServer((request, response) => {
    serve(request, response, handler).catch((error: unknown) => {
      handler.fault(error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: bound } = server.address() as AddressInfo;
      resolve({ port: bound, close: () => closeServer(server) });
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // A client may leave its connection open after the response.
    setTimeout(() => server.closeAllConnections(), CLOSING_MILLISECONDS).unref();
  });
}

async function serve(request: IncomingMessage, response: ServerResponse, handler: RpcHandler): Promise<void> {
  // A request that a client aborted is not a fault.
  request.on('error', () => response.destroy());
  response.setHeader('access-control-allow-origin', '*');
  if (request.method === 'OPTIONS') return answerPreflight(request, response);
  if (request.method === 'GET' && request.url === '/health') return end(response, 200, 'text/plain', 'ok');
  if (request.method !== 'POST') return end(response, 405, 'text/plain', 'Used HTTP Method is not allowed');
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    return end(
      response,
      415,
      'text/plain',
      'Supplied content type is not allowed. Content-Type: application/json is required',
    );
  }
  const body = await readBody(request);
  if (body === undefined) return end(response, 413, 'text/plain', 'Request body is too large');
  const answer = await answerBody(body, handler);
  await handler.durable();
  if (answer === undefined) return end(response, 200, 'application/json', '');
  await endWith(response, answer);
}

/** Allows pages of every origin, as a node does, because wallets are web pages. */
function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'POST, GET, OPTIONS',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
    'access-control-max-age': '86400',
    ...(headers['access-control-request-private-network'] === undefined
      ? {}
      : { 'access-control-allow-private-network': 'true' }),
  });
  response.end();
}

/** Writes a response in pieces, at the client's pace; other calls run between two pieces. */
async function endWith(response: ServerResponse, answer: Json): Promise<void> {
  const type = 'application/json; charset=utf-8';
  const pieces = jsonChunks(answer);
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    if (!response.headersSent) response.writeHead(200, { 'content-type': type });
    const isTaken = response.write(text);
    text = '';
    await (isTaken ? nextTurn() : drained(response));
    if (response.destroyed) return;
  }
  if (response.headersSent) response.end(text);
  else end(response, 200, type, text);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}

/** Reads a body; undefined if it is above the limit, whose rest is read and discarded. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size > BODY_LIMIT ? undefined : Buffer.concat(chunks).toString('utf8');
}

async function answerBody(body: string, handler: RpcHandler): Promise<Json | undefined> {
  let parsed: unknown;
  try {
    parsed = parseCalls(body);
  } catch {
    return failure(null, parseError());
  }
  if (!Array.isArray(parsed)) return answerCall(parsed, handler);
  if (parsed.length === 0 || parsed.length > BATCH_LIMIT) return failure(null, invalidRequest());
  const answers: string[] = [];
  for (const call of parsed) {
    const answer = await answerCall(call, handler);
    if (answer !== undefined) answers.push(encodeJson(answer));
  }
  return answers.length === 0 ? undefined : new LongList(answers);
}

/** Undefined for a notification, which expects no response. */
async function answerCall(call: unknown, handler: RpcHandler): Promise<Json | undefined> {
  if (typeof call !== 'object' || call === null || Array.isArray(call))
    return failure(null, invalidRequest());
  const { jsonrpc, id, method, params = [] }: { readonly [key: string]: unknown } = { ...call };
  const known = callId(id) ?? null;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return failure(known, invalidRequest());
  const answer = await outcome(method, params ?? [], handler);
  if (id === undefined) return undefined;
  return answer instanceof RpcError ? failure(known, answer) : { jsonrpc: '2.0', result: answer, id: known };
}

async function outcome(method: string, params: unknown, handler: RpcHandler): Promise<Json | RpcError> {
  if (!Array.isArray(params)) return invalidParams('`params` should be an array');
  try {
    const answer = await handler.call(method, params);
    return answer === undefined ? methodNotFound() : answer;
  } catch (error) {
    if (error instanceof RpcError) return error;
    if (error instanceof LedgerBehind) handler.fatal(error);
    handler.fault(error);
    return internalError();
  }
}

function failure(id: CallId, error: RpcError): Json {
  return { jsonrpc: '2.0', error: { code: error.code, message: error.message, data: error.data }, id };
}
