/**
 * Appends to EventStoreDB over one call that carries all appends. If an answer is lost, learns the outcome by sending
 * the same append again: with equal ids, order and expected revision, the server recognizes it.
 */
import { setMaxListeners } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { CheckedEvent } from '../../ports/append-rules.ts';
import type { AppendResult, ExpectedRevision } from '../../ports/event-store.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { type BatchCall, type Connection, isPassing } from './connection.ts';
import { EventStoreSilent, silenceAfter } from './errors.ts';
import { appendRequest, positionText, revisionNumber } from './messages.ts';

export interface Appender {
  /** Rejects when the outcome stays unknown. `position` is missing where the server no longer knows it. */
  append(
    stream: string,
    expected: ExpectedRevision | 'any',
    events: readonly CheckedEvent[],
  ): Promise<Appended>;
  /** Why appends do not succeed: the latest was refused, or its outcome is unknown. Undefined after a success. */
  trouble(): string | undefined;
  /** Waits briefly for pending answers, abandons retries and accepts no more appends. */
  close(): Promise<void>;
}

export type Appended =
  | { readonly outcome: 'appended'; readonly revision: number; readonly position: string | undefined }
  | Extract<AppendResult, { outcome: 'conflict' }>;

/** The server refused the append for good. */
class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Timeout of one request; the server itself gives up after two seconds. Milliseconds. */
const ATTEMPT_PATIENCE = 5_000;
const RETRY_PAUSES = [20, 50, 100, 200, 400, 800];
/** Milliseconds. */
const CLOSE_PATIENCE = 3_000;

/** Answers with which the server refuses a write for good. Any other error leaves the outcome unknown. */
const REFUSALS = new Set([
  'event_store.client.AccessDenied',
  'event_store.client.StreamDeleted',
  'event_store.client.MaximumAppendSizeExceeded',
  'event_store.client.BadRequest',
  'event_store.client.InvalidTransaction',
]);
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

interface OpenCall {
  readonly call: BatchCall;
  /** By request number. */
  readonly waiting: Map<string, Waiting>;
  /** How many answers the call has received. */
  answers: number;
  /** Why the call can carry no more. */
  ended: Error | undefined;
}

interface Waiting {
  answer(response: BatchAppendResp): void;
  fail(error: Error): void;
}

/** `patience`: how long an append is retried while its outcome is unknown. Milliseconds. */
export function createAppender(connection: Connection, patience: number): Appender {
  let current: Promise<OpenCall> | undefined;
  let correlation = 0;
  const accepted = new Set<Promise<unknown>>();
  let trouble: string | undefined;
  const closing = new AbortController();
  // Each append that is paused listens.
  setMaxListeners(0, closing.signal);

  function inUse(): Promise<OpenCall> {
    if (current !== undefined) return current;
    const own: Promise<OpenCall> = connection.batchAppend().then((call) => {
      return carrying(call, (error) => {
        leave();
        connection.failed(error);
      });
    });
    const leave = () => {
      if (current === own) current = undefined;
    };
    own.catch(leave);
    current = own;
    return own;
  }

  async function attempt(requestOf: (correlation: number) => BatchAppendReq): Promise<BatchAppendResp> {
    const open = await inUse();
    if (open.ended !== undefined) throw open.ended;
    const { call, waiting, answers } = open;
    correlation += 1;
    const id = String(correlation);
    const request = requestOf(correlation);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        const silence = new EventStoreSilent('the event store does not answer');
        reject(silence);
        // No answer came to any request: the next append uses another connection.
        if (open.answers === answers) call.destroy(silence);
      }, ATTEMPT_PATIENCE);
      waiting.set(id, {
        answer(response) {
          clearTimeout(timer);
          resolve(response);
        },
        fail(error) {
          clearTimeout(timer);
          reject(error);
        },
      });
      call.write(request);
    });
  }

  async function appendUntilKnown(
    stream: string,
    expected: ExpectedRevision | 'any',
    events: readonly CheckedEvent[],
  ): Promise<Appended> {
    const request = appendRequest(stream, expected, events);
    const giveUpAt = performance.now() + patience;
    for (let attempts = 0; ; attempts += 1) {
      try {
        const response = await attempt(request);
        const result = resultOf(response);
        if (result === undefined) throw new EventStoreSilent(failureIn(response));
        trouble = undefined;
        return result;
      } catch (error) {
        if (closing.signal.aborted) throw error;
        const pause = RETRY_PAUSES[attempts] ?? 1_000;
        if (error instanceof AppendRefused || performance.now() + pause >= giveUpAt) {
          trouble = error instanceof Error ? error.message : String(error);
          throw isPassing(error) ? silenceAfter(error) : error;
        }
        await pauseFor(pause, closing.signal);
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
    trouble: () => trouble,
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

function carrying(call: BatchCall, ended: (error: Error) => void): OpenCall {
  const waiting = new Map<string, Waiting>();
  const open: OpenCall = { call, waiting, answers: 0, ended: undefined };
  const end = (error: Error) => {
    if (open.ended !== undefined) return;
    open.ended = error;
    call.cancel();
    ended(error);
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  call.on('data', (response: BatchAppendResp) => {
    open.answers += 1;
    const id = response.getCorrelationId()?.getStructured()?.getLeastSignificantBits() ?? '';
    // An answer after its request's timeout finds nobody waiting.
    waiting.get(id)?.answer(response);
    waiting.delete(id);
  });
  call.on('error', end);
  call.on('close', () => end(new EventStoreSilent('the event store ended the connection')));
  return open;
}

function failureIn(response: BatchAppendResp): string {
  return `the event store failed: ${response.getError()?.getMessage() || 'unknown'}`;
}

/** Undefined if the outcome is unknown. */
function resultOf(response: BatchAppendResp): Appended | undefined {
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
  return undefined;
}
