/** Asks one Solana node by JSON-RPC. What it throws quotes the node, and never its address, whose path and query hold keys. */
import { ChainAnswerInvalid, ChainBehind, ChainBusy, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { addressed, type Posted, postJson } from './connections.ts';

export const METHOD_NOT_FOUND = -32601;
/** Codes of a node that cannot answer now: behind, unhealthy, not available yet. */
const NODE_NOT_READY = new Set<unknown>([-32004, -32005, -32007, -32014]);
/** It has not reached `minContextSlot`. */
const SLOT_NOT_REACHED = -32016;
const TOO_MANY = 429;
const methodNotFound = new RegExp(`"code"\\s*:\\s*${METHOD_NOT_FOUND}\\b`);
/** Characters of a node's own words. */
const MOST_QUOTED = 200;

/** The node answered that it will not. */
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

export interface JsonRpc {
  /** Without path and query. */
  readonly host: string;
  /** The result. Rejects with `NodeRefusal`, with `ChainUnavailable`, and with `ChainAnswerInvalid` for what is not JSON-RPC. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** An answer that may be too long to wait for its end. */
  open(method: string, params: readonly unknown[], signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** `timeout`: milliseconds of a call until the end of its answer. */
export function createJsonRpc({ url, timeout }: { readonly url: string; readonly timeout: number }): JsonRpc {
  const address = new URL(url);
  const { host } = address;
  const unavailable = (error: unknown) =>
    new ChainUnavailable(`the chain node at ${host} does not answer: ${reasonOf(error)}`);

  async function textOf(body: string): Promise<Posted> {
    const answer = await postJson(address, body, timeout).catch((error: unknown) => {
      throw unavailable(error);
    });
    const { status, statusText, text } = answer;
    if (status >= 200 && status < 300) return answer;
    const said = `${status} ${statusText}: ${text}`.slice(0, MOST_QUOTED);
    const message = `the chain node at ${host} answers ${said}`;
    if (status !== TOO_MANY) throw new ChainUnavailable(message);
    const seconds = Number(answer.retryAfter ?? Number.NaN);
    throw new ChainBusy(message, Number.isFinite(seconds) ? seconds * 1_000 : undefined);
  }

  return {
    host,

    async call(method, params) {
      const { text, contentType } = await textOf(bodyOf(method, params));
      const answer = answerIn(text);
      if (answer === undefined) {
        const found = text === '' ? 'nothing' : (contentType ?? 'of no type');
        throw new ChainAnswerInvalid(
          `the chain node at ${host} answers with something that is not JSON-RPC (${found}): is CHAIN_URL the address of a Solana node?`,
        );
      }
      if (answer.error !== undefined && answer.error !== null) throw new NodeRefusal(method, answer.error);
      return answer.result;
    },

    // By `fetch`, which asks for compressed answers: these have megabytes.
    async open(method, params, signal) {
      try {
        const { to, headers } = addressed(address);
        const response = await fetch(to, {
          method: 'POST',
          headers,
          body: bodyOf(method, params),
          signal,
        });
        if (!response.ok) {
          // Some nodes have a status of its own for unknown methods.
          if (methodNotFound.test(await response.text())) {
            throw new NodeRefusal(method, { code: METHOD_NOT_FOUND, message: 'Method not found' });
          }
          throw new Error(`it answered ${response.status}`);
        }
        return piecesOf(response.body);
      } catch (error) {
        throw error instanceof NodeRefusal ? error : unavailable(error);
      }
    },
  };

  async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    try {
      for await (const piece of body) yield piece;
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** What failed in a call, in the words of the port. */
export function asChainError(error: unknown, host: string): Error {
  if (error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid) return error;
  if (error instanceof NodeRefusal) {
    if (error.code === SLOT_NOT_REACHED)
      return new ChainBehind(`the chain node at ${host} is behind: ${error.message}`);
    return NODE_NOT_READY.has(error.code)
      ? new ChainUnavailable(error.message)
      : new ChainAnswerInvalid(error.message);
  }
  return new ChainAnswerInvalid(
    `the chain node at ${host} gave an answer that makes no sense: ${reasonOf(error).slice(0, MOST_QUOTED)}`,
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
  // Several addresses of a host that failed together have no words of their own.
  const { code } = error as { code?: unknown };
  return error.message === '' && typeof code === 'string' ? code : error.message;
}
