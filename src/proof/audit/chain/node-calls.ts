/** JSON-RPC calls of an audit: with bounded concurrency, retries, and rate-limit backoff. */

import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { readBody } from '../../../kernel/runtime/bounded-input.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import type { Place } from '../finding.ts';
import type { CheckNotes } from '../report.ts';

export interface AuditNodeOptions {
  readonly url: string;
  /** Maximum number of concurrent calls; default 8. */
  readonly atOnce?: number;
  /** Timeout per attempt, in milliseconds; default 20,000. */
  readonly timeout?: number;
  /** Milliseconds that a call waits in total for a rate-limiting node; default 10 minutes. */
  readonly patience?: number;
}

type NodeCall = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** The node does not answer, or answers with an error or an invalid response. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

/** Reports the work as not checked if the node is unavailable. */
export async function unlessUnavailable(
  notes: Pick<CheckNotes, 'unchecked'>,
  what: string,
  place: Place,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error;
    notes.unchecked(what, error.message, place);
  }
}

/** Bytes per response; many times all token accounts of a mint with a million holders. */
const MAX_ANSWER = 512 * 1024 * 1024;
const TRIES = 5;
/** Backoff in milliseconds after the first failure; doubles after each failure, up to `MAX_PAUSE`. */
const FIRST_PAUSE = 500;
const MAX_PAUSE = 30_000;
const TOO_MANY_REQUESTS = 429;
/** JSON-RPC error codes of rate limits that nodes send with HTTP status 200. */
const RATE_LIMITED = new Set([-32_429, TOO_MANY_REQUESTS]);

class TooManyCalls extends Error {
  /** Milliseconds from `Retry-After`; undefined without the header. */
  readonly wait: number | undefined;

  constructor(wait: number | undefined) {
    super('rate limit of the node exceeded');
    this.wait = wait;
  }
}

/** Rejects with `NodeUnavailable`. */
export function createNodeCalls(options: AuditNodeOptions): NodeCall {
  const { url, atOnce = 8, timeout = 20_000, patience = 600_000 } = options;
  const { host } = new URL(url);
  const limit = pLimit(atOnce);
  /** Time before which no call is sent: a rate limit on one call pauses all. */
  let notBefore = 0;

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    let [tries, waited] = [0, 0];
    for (;;) {
      const wait = notBefore - performance.now();
      if (wait > 0) await pause(wait);
      try {
        return await askOnce({ url, host, timeout }, method, params);
      } catch (error) {
        const shortest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** tries);
        tries += 1;
        if (error instanceof TooManyCalls) {
          const asked = error.wait ?? shortest;
          waited += asked;
          if (waited > patience)
            throw new NodeUnavailable(
              `rate limit of the node at ${host} is too low for an audit; use another node`,
            );
          notBefore = Math.max(notBefore, performance.now() + asked);
        } else if (tries < TRIES) {
          await pause(shortest);
        } else if (error instanceof NodeUnavailable) {
          throw error;
        } else {
          throw new NodeUnavailable(`the node at ${host} does not answer: ${errorMessage(error)}`);
        }
      }
    }
  }

  return (method, params = []) => limit(() => ask(method, params));
}

async function askOnce(
  { url, host, timeout }: { readonly url: string; readonly host: string; readonly timeout: number },
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeout),
  });
  const text = Buffer.from(await readBody(response, MAX_ANSWER, host)).toString();
  if (response.status === TOO_MANY_REQUESTS) throw new TooManyCalls(retryAfter(response.headers));
  if (!response.ok)
    throw new NodeUnavailable(`${method} on the node at ${host}: HTTP status ${response.status}`);
  const answer = answerOf(text);
  if (answer === undefined)
    throw new NodeUnavailable(`${method} on the node at ${host}: the response is not JSON-RPC`);
  if (answer.error === undefined) return answer.result;
  if (RATE_LIMITED.has(answer.error.code)) throw new TooManyCalls(undefined);
  throw new NodeUnavailable(`${method} on the node at ${host}: ${answer.error.message}`);
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function answerOf(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)
      ? (answer as Answer)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds; the header contains seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_PAUSE) : undefined;
}
