/**
 * Appends to EventStoreDB over one call that carries all appends. If an answer is lost, learns the outcome by sending
 * the same append again: with equal ids, order and expected revision, the server recognizes it.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import pTimeout from 'p-timeout';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import type { AppendResult, ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { type BatchCall, type Connection, EventStoreSilent, isPassing, silenceAfter } from './connection.ts';
import { appendRequest, positionText, revisionNumber } from './messages.ts';

/** Milliseconds between two probes. */
const PROBE_PAUSE = 1_000;
/** No stream is that long: the server answers with a conflict and writes nothing. */
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;

const RETRY_PAUSES = [20, 50, 100, 200, 400, 800];
/** Milliseconds. */
const CLOSE_PATIENCE = 3_000;

/** `patience`: how long an append is retried while its outcome is unknown. Milliseconds. */
export function createAppender(connection: Connection, patience: number) {
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
        const result = resultOf(await send(request));
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
    /** Rejects when the outcome stays unknown. `position` is missing where the server no longer knows it. */
    async append(...asked: Parameters<typeof appendUntilKnown>): Promise<Appended> {
      if (closing.signal.aborted) throw new EventStoreSilent('the event store is closed');
      const work = appendUntilKnown(...asked);
      accepted.add(work);
      try {
        return await work;
      } finally {
        accepted.delete(work);
      }
    },
    /**
     * Why appends do not succeed: the latest was refused, or its outcome is unknown. Undefined once the server answers one:
     * it is probed until then, so that a process that nobody calls notices as well.
     */
    trouble: trouble.current,
    /** Waits briefly for pending answers, abandons retries and accepts no more appends. */
    async close() {
      closing.abort();
      const settled = Promise.allSettled([...accepted]);
      await pTimeout(settled, { milliseconds: CLOSE_PATIENCE, fallback: () => undefined });
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

type Appended =
  | { readonly outcome: 'appended'; readonly revision: number; readonly position: string | undefined }
  | Extract<AppendResult, { outcome: 'conflict' }>;

/** The server refused the append for good. */
class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Answers with which the server refuses a write for good. Any other error leaves the outcome unknown. */
const REFUSALS = new Set([
  'event_store.client.AccessDenied',
  'event_store.client.StreamDeleted',
  'event_store.client.MaximumAppendSizeExceeded',
  // Servers since 24.10.4, where an operator has set `MaxAppendEventSize`. The client's messages do not know it.
  'event_store.client.MaximumAppendEventSizeExceeded',
  'event_store.client.BadRequest',
  'event_store.client.InvalidTransaction',
]);
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

/** @throws AppendRefused, and EventStoreSilent if the outcome is unknown */
function resultOf(response: BatchAppendResp): Appended {
  const success = response.getSuccess();
  if (success !== undefined) {
    const position = success.getPosition()?.getCommitPosition();
    return {
      outcome: 'appended',
      revision: revisionNumber(success.getCurrentRevision()),
      position: position === undefined ? undefined : positionText(position),
    };
  }
  const details = response.getError()?.getDetails();
  const kind = details?.getTypeName() ?? '';
  if (kind === WRONG_REVISION) {
    const found = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, WRONG_REVISION);
    const actual = found?.hasCurrentStreamRevision()
      ? revisionNumber(found.getCurrentStreamRevision())
      : 'none';
    return { outcome: 'conflict', actual };
  }
  if (REFUSALS.has(kind)) {
    throw new AppendRefused(`the event store refused an append: ${kind.slice(kind.lastIndexOf('.') + 1)}`);
  }
  throw new EventStoreSilent(`the event store failed: ${response.getError()?.getMessage() || 'unknown'}`);
}

/** Timeout of one request; the server itself gives up after two seconds. Milliseconds. */
const ATTEMPT_PATIENCE = 5_000;

interface Waiting {
  answer(response: BatchAppendResp): void;
  fail(error: Error): void;
}

/** Sends a request and resolves with its answer. Rejects when the call ends, or when no answer comes: then the outcome is unknown. */
type SendBatch = (requestOf: (correlation: number) => BatchAppendReq) => Promise<BatchAppendResp>;

function createBatchCalls(connection: Connection): SendBatch {
  let current: Promise<ReturnType<typeof carrying>> | undefined;
  let correlation = 0;

  function inUse() {
    if (current !== undefined) return current;
    const leave = () => {
      if (current === own) current = undefined;
    };
    const own = connection.batchAppend().then((call) =>
      carrying(call, (error) => {
        leave();
        connection.failed(error);
      }),
    );
    own.catch(leave);
    current = own;
    return own;
  }

  return async (requestOf) => {
    const sendOver = await inUse();
    correlation += 1;
    return sendOver(String(correlation), requestOf(correlation));
  };
}

function carrying(call: BatchCall, ended: (error: Error) => void) {
  /** Keyed by request number. */
  const waiting = new Map<string, Waiting>();
  let answers = 0;
  let problem: Error | undefined;
  const end = (error: Error) => {
    if (problem !== undefined) return;
    problem = error;
    call.cancel();
    ended(error);
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  call.on('data', (response: BatchAppendResp) => {
    answers += 1;
    const id = response.getCorrelationId()?.getStructured()?.getLeastSignificantBits() ?? '';
    // An answer after its request's timeout finds nobody waiting.
    waiting.get(id)?.answer(response);
    waiting.delete(id);
  });
  call.on('error', end);
  call.on('close', () => end(new EventStoreSilent('the event store ended the connection')));

  return async (id: string, request: BatchAppendReq): Promise<BatchAppendResp> => {
    if (problem !== undefined) throw problem;
    const answersBefore = answers;
    const answered = new Promise<BatchAppendResp>((answer, fail) => waiting.set(id, { answer, fail }));
    call.write(request);
    return pTimeout(answered, {
      milliseconds: ATTEMPT_PATIENCE,
      fallback() {
        waiting.delete(id);
        const silence = new EventStoreSilent('the event store does not answer');
        // No answer came to any request: the next append uses another connection.
        if (answers === answersBefore) call.destroy(silence);
        throw silence;
      },
    });
  };
}
