/** JSON-RPC calls of an audit: a few at a time, tried again, and slower where the node wants fewer. */

import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { readBody } from '../../../kernel/runtime/bounded-input.ts';
import { messageOf } from '../../../kernel/runtime/message-of.ts';
import type { Place } from '../finding.ts';
import type { CheckNotes } from '../report.ts';

export interface AuditNodeOptions {
  readonly url: string;
  /** Calls under way at a time; 8 unless given. */
  readonly atOnce?: number;
  /** Milliseconds for one answer; 20,000 unless given. */
  readonly timeout?: number;
  /** Milliseconds for which a node that wants fewer calls is waited for; 10 minutes unless given. */
  readonly patience?: number;
}

type NodeCall = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** The node does not answer, or not in a way that makes sense. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
}

/** Reports the work as not done while the node does not answer. */
export async function unlessUnavailable(
  notes: Pick<CheckNotes, 'couldNotLook'>,
  what: string,
  place: Place,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error;
    notes.couldNotLook(what, error.message, place);
  }
}

/** Bytes: all token accounts of a mint with a million holders, many times over. */
const LARGEST_ANSWER = 512 * 1024 * 1024;
const TRIES = 5;
/** Milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
const TOO_MANY_REQUESTS = 429;
/** Error codes that nodes send with status 200 when they limit calls. */
const RATE_LIMITED = new Set([-32_429, TOO_MANY_REQUESTS]);

class TooManyCalls extends Error {
  /** Milliseconds, if the node says. */
  readonly wait: number | undefined;

  constructor(wait: number | undefined) {
    super('the node wants fewer calls');
    this.wait = wait;
  }
}

/** Rejects with `NodeUnavailable`. */
export function createNodeCalls(options: AuditNodeOptions): NodeCall {
  const { url, atOnce = 8, timeout = 20_000, patience = 600_000 } = options;
  const { host } = new URL(url);
  const limit = pLimit(atOnce);
  /** No call is made before: all wait when the node asked one to. */
  let notBefore = 0;

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    let [tries, waited] = [0, 0];
    for (;;) {
      const wait = notBefore - performance.now();
      if (wait > 0) await pause(wait);
      try {
        return await askOnce({ url, host, timeout }, method, params);
      } catch (error) {
        const shortest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries);
        tries += 1;
        if (error instanceof TooManyCalls) {
          const asked = error.wait ?? shortest;
          waited += asked;
          if (waited > patience)
            throw new NodeUnavailable(`the node at ${host} wants fewer calls than an audit needs`);
          notBefore = Math.max(notBefore, performance.now() + asked);
        } else if (tries < TRIES) {
          await pause(shortest);
        } else if (error instanceof NodeUnavailable) {
          throw error;
        } else {
          throw new NodeUnavailable(`the node at ${host} does not answer: ${messageOf(error)}`);
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
  const text = Buffer.from(await readBody(response, LARGEST_ANSWER, host)).toString();
  if (response.status === TOO_MANY_REQUESTS) throw new TooManyCalls(retryAfter(response.headers));
  if (!response.ok) throw new NodeUnavailable(`the node at ${host} answered ${response.status} to ${method}`);
  const answer = answerOf(text);
  if (answer === undefined)
    throw new NodeUnavailable(`the node at ${host} answered ${method} with something that is not JSON-RPC`);
  if (answer.error === undefined) return answer.result;
  if (RATE_LIMITED.has(answer.error.code)) throw new TooManyCalls(undefined);
  throw new NodeUnavailable(`the node at ${host} refused ${method}: ${answer.error.message}`);
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

/** In milliseconds; the header says seconds or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_PAUSE) : undefined;
}
