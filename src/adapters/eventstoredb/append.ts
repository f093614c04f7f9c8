/**
 * Appends to EventStoreDB over one call that carries all appends. If an answer is lost, learns the outcome by sending
 * the same append again: with equal ids, order and expected revision, the server recognizes it.
 */

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import type { ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { type Appended, AppendRefused, failureIn, resultOf } from './append-results.ts';
import { createBatchCalls, type SendBatch } from './batch-calls.ts';
import { type Connection, isPassing } from './connection.ts';
import { EventStoreSilent, silenceAfter } from './errors.ts';
import { appendRequest } from './messages.ts';

export interface Appender {
  /** Rejects when the outcome stays unknown. `position` is missing where the server no longer knows it. */
  append(
    stream: string,
    expected: ExpectedRevision | 'any',
    events: readonly CheckedEvent[],
  ): Promise<Appended>;
  /**
   * Why appends do not succeed: the latest was refused, or its outcome is unknown. Undefined once the server answers one:
   * it is probed until then, so that a process that nobody calls notices as well.
   */
  trouble(): string | undefined;
  /** Waits briefly for pending answers, abandons retries and accepts no more appends. */
  close(): Promise<void>;
}

/** Milliseconds between two probes. */
const PROBE_PAUSE = 1_000;
/** No stream is that long: the server answers with a conflict and writes nothing. */
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;

const RETRY_PAUSES = [20, 50, 100, 200, 400, 800];
/** Milliseconds. */
const CLOSE_PATIENCE = 3_000;

/** `patience`: how long an append is retried while its outcome is unknown. Milliseconds. */
export function createAppender(connection: Connection, patience: number): Appender {
  const send = createBatchCalls(connection);
  const accepted = new Set<Promise<unknown>>();
  const closing = new AbortController();
  // Each append that is paused listens.
  setMaxListeners(0, closing.signal);
  const trouble = createTrouble(send, closing.signal);

  async function appendUntilKnown(
    stream: string,
    expected: ExpectedRevision | 'any',
    events: readonly CheckedEvent[],
  ): Promise<Appended> {
    const request = appendRequest(stream, expected, events);
    const giveUpAt = performance.now() + patience;
    for (let attempts = 0; ; attempts += 1) {
      try {
        const response = await send(request);
        const result = resultOf(response);
        if (result === undefined) throw new EventStoreSilent(failureIn(response));
        trouble.over();
        return result;
      } catch (error) {
        if (closing.signal.aborted) throw error;
        const pause = RETRY_PAUSES[attempts] ?? 1_000;
        if (error instanceof AppendRefused || performance.now() + pause >= giveUpAt) {
          trouble.failed(error, stream);
          throw isPassing(error) ? silenceAfter(error) : error;
        }
        await sleep(pause, closing.signal);
      }
    }
  }

  return {
    async append(stream, expected, events) {
      if (closing.signal.aborted) throw new EventStoreSilent('the event store is closed');
      const work = appendUntilKnown(stream, expected, events);
      accepted.add(work);
      try {
        return await work;
      } finally {
        accepted.delete(work);
      }
    },
    trouble: trouble.current,
    async close() {
      closing.abort();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_PATIENCE);
      });
      await Promise.race([Promise.allSettled([...accepted]), late]);
      clearTimeout(timer);
    },
  };
}

/** Remembers why appends do not succeed, and probes the server until it answers one. */
function createTrouble(send: SendBatch, closing: AbortSignal) {
  let trouble: string | undefined;
  let isProbing = false;

  async function probe(stream: string): Promise<void> {
    const event = { id: randomUUID(), type: 'Probe', data: {}, metadata: {} };
    const request = appendRequest(stream, NEVER_REACHED, [{ event, data: '{}', metadata: '{}' }]);
    isProbing = true;
    while (trouble !== undefined) {
      await sleep(PROBE_PAUSE, closing);
      if (closing.aborted) return;
      const answer = await send(request).then(resultOf).catch(messageOf);
      if (typeof answer === 'object') trouble = undefined;
    }
    isProbing = false;
  }

  return {
    current: () => trouble,
    failed(error: unknown, stream: string): void {
      trouble = messageOf(error);
      if (!isProbing) void probe(stream);
    },
    over(): void {
      trouble = undefined;
    },
  };
}
