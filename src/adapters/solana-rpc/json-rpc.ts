/** JSON-RPC client of one Solana node. Errors quote the node, but never its address, whose path and query contain keys. */

import { request } from 'undici';
import { ChainAnswerInvalid, ChainBehind, ChainBusy, ChainUnavailable } from '../../kernel/ports/chain.ts';

export const METHOD_NOT_FOUND = -32601;
/** Codes of a node that is behind, unhealthy or not available yet. */
const NODE_NOT_READY = new Set<unknown>([-32004, -32005, -32007, -32014]);
/** The node has not reached `minContextSlot`. */
const SLOT_NOT_REACHED = -32016;
const TOO_MANY = 429;
/** Codes of a rate limit in responses with HTTP status 200. */
const RATE_LIMITED = new Set<unknown>([-32_429, TOO_MANY]);
const methodNotFound = new RegExp(`"code"\\s*:\\s*${METHOD_NOT_FOUND}\\b`);
/** Maximum number of quoted characters from a node. */
const MAX_QUOTED = 200;

/** The node responded with a JSON-RPC error. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly code: unknown;
  readonly data: unknown;

  constructor(method: string, error: unknown) {
    const { code, message, data } = Object(error) as { code?: unknown; message?: unknown; data?: unknown };
    super(`${method}: ${typeof message === 'string' ? message : JSON.stringify(error)}`);
    this.code = code;
    this.data = data;
  }
}

export type JsonRpc = ReturnType<typeof createJsonRpc>;

/** `timeout`: milliseconds until the end of a call's response. */
export function createJsonRpc({ url, timeout }: { readonly url: string; readonly timeout: number }) {
  const { host } = new URL(url);
  const { to, headers } = addressed(new URL(url));
  const unavailable = (error: unknown) =>
    new ChainUnavailable(`the chain node at ${host} does not respond: ${reasonOf(error)}`);

  async function post(body: string) {
    const signal = AbortSignal.timeout(timeout);
    try {
      const answer = await request(to, { method: 'POST', headers, body, signal });
      return { ...answer, text: await answer.body.text() };
    } catch (error) {
      throw unavailable(
        signal.aborted ? new Error(`no complete response within ${timeout / 1_000} s`) : error,
      );
    }
  }

  async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    try {
      for await (const piece of body) yield piece;
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    /** Without path and query. */
    host,

    /**
     * Resolves with the result. Rejects with `NodeRefusal`, with `ChainUnavailable`, and with `ChainAnswerInvalid` if the
     * response is not JSON-RPC.
     */
    async call(method: string, params: readonly unknown[]): Promise<unknown> {
      const { statusCode, statusText, headers: sent, text } = await post(bodyOf(method, params));
      if (statusCode < 200 || statusCode >= 300) {
        const said = `${statusCode} ${statusText}: ${text}`.slice(0, MAX_QUOTED);
        const message = `the chain node at ${host} responded with HTTP status ${said}`;
        if (statusCode !== TOO_MANY) throw new ChainUnavailable(message);
        const seconds = Number(sent['retry-after'] ?? Number.NaN);
        throw new ChainBusy(message, Number.isFinite(seconds) ? seconds * 1_000 : undefined);
      }
      const answer = answerIn(text);
      if (answer === undefined) {
        const found = text === '' ? 'nothing' : (sent['content-type'] ?? 'of no type');
        throw new ChainAnswerInvalid(
          `the chain node at ${host} sent no JSON-RPC response (${found}): check that CHAIN_URL is the address of a Solana node`,
        );
      }
      if (answer.error !== undefined && answer.error !== null) throw new NodeRefusal(method, answer.error);
      return answer.result;
    },

    /** Streams a response of any length. Uses `fetch`, which requests compression, because these responses have megabytes. */
    async open(
      method: string,
      params: readonly unknown[],
      signal: AbortSignal,
    ): Promise<AsyncIterable<Uint8Array>> {
      try {
        const response = await fetch(to, { method: 'POST', headers, body: bodyOf(method, params), signal });
        if (response.ok) return piecesOf(response.body);
        // Some nodes respond to unknown methods with an HTTP error status.
        if (!methodNotFound.test(await response.text())) throw new Error(`HTTP status ${response.status}`);
      } catch (error) {
        throw unavailable(error);
      }
      throw new NodeRefusal(method, { code: METHOD_NOT_FOUND, message: 'Method not found' });
    },
  };
}

/** Translates the error of a failed call into the port's error. */
export function asChainError(error: unknown, host: string): Error {
  if (error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid) return error;
  if (error instanceof NodeRefusal) {
    if (error.code === SLOT_NOT_REACHED)
      return new ChainBehind(`the chain node at ${host} is behind: ${error.message}`);
    if (RATE_LIMITED.has(error.code)) return new ChainBusy(error.message);
    return NODE_NOT_READY.has(error.code)
      ? new ChainUnavailable(error.message)
      : new ChainAnswerInvalid(error.message);
  }
  return new ChainAnswerInvalid(
    `the chain node at ${host} sent an invalid response: ${reasonOf(error).slice(0, MAX_QUOTED)}`,
  );
}

function bodyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function answerIn(text: string): { readonly result?: unknown; readonly error?: unknown } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const isAnswer =
      typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer);
    return isAnswer ? answer : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${error.cause.message}`;
  // A host whose addresses all fail results in an error without a message.
  const { code } = error as { code?: unknown };
  return error.message === '' && typeof code === 'string' ? code : error.message;
}

/** `fetch` rejects URLs with credentials, so they go into a header. */
function addressed(url: URL): { readonly to: string; readonly headers: Record<string, string> } {
  const to = new URL(url);
  to.username = '';
  to.password = '';
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'levy' };
  if (url.username === '' && url.password === '') return { to: to.href, headers };
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return { to: to.href, headers: { ...headers, authorization } };
}
