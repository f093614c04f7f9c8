/**
 * Appends to EventStoreDB over one call that carries all appends. If a response is lost, the same append is sent again to
 * find out the outcome: the server recognizes equal ids, order and expected revision.
 */
import { setMaxListeners } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import pTimeout from 'p-timeout';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import type { AppendResult, ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import {
  type BatchCall,
  type Connection,
  EventStoreSilent,
  isTransient,
  silenceAfter,
} from './connection.ts';
import { appendRequest, positionText, revisionNumber } from './messages.ts';

/** Milliseconds for which a failed append is reported as a fault of the store. */
const FAULT_LIFETIME = 30_000;

const RETRY_PAUSES = [20, 50, 100, 200, 400, 800];
/** Timeout in milliseconds of `close` for pending responses. */
const CLOSE_TIMEOUT = 3_000;

/** `patience`: milliseconds for which an append is retried while its outcome is unknown. */
export function createAppender(connection: Connection, patience: number) {
  const send = createBatchCalls(connection);
  const accepted = new Set<Promise<unknown>>();
  const closing = new AbortController();
  // Each paused append adds a listener.
  setMaxListeners(0, closing.signal);
  const trouble = createFaultState();

  async function appendUntilConfirmed(
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
          trouble.failed(error);
          throw isTransient(error) ? silenceAfter(error) : error;
        }
        await sleep(pause, closing.signal);
      }
    }
  }

  return {
    /** Rejects if the outcome remains unknown. `position` is undefined if the server no longer has it. */
    async append(...asked: Parameters<typeof appendUntilConfirmed>): Promise<Appended> {
      if (closing.signal.aborted) throw new EventStoreSilent('the event store is closed');
      const work = appendUntilConfirmed(...asked);
      accepted.add(work);
      try {
        return await work;
      } finally {
        accepted.delete(work);
      }
    },
    /**
     * Reason why the latest append was rejected or has an unknown outcome. Undefined after the next response to an append, and
     * after 30 seconds, so that the readiness of a process that appends nothing more recovers.
     */
    trouble: trouble.current,
    /** Waits briefly for pending responses, abandons retries and rejects further appends. */
    async close() {
      closing.abort();
      const settled = Promise.allSettled([...accepted]);
      await pTimeout(settled, { milliseconds: CLOSE_TIMEOUT, fallback: () => undefined });
    },
  };
}

/** Reason of the latest failed append, which expires. */
function createFaultState() {
  let trouble: { readonly reason: string; readonly at: number } | undefined;
  return {
    current: () =>
      trouble === undefined || performance.now() - trouble.at > FAULT_LIFETIME ? undefined : trouble.reason,
    failed(error: unknown): void {
      trouble = { reason: errorMessage(error), at: performance.now() };
    },
    over(): void {
      trouble = undefined;
    },
  };
}

type Appended =
  | { readonly outcome: 'appended'; readonly revision: number; readonly position: string | undefined }
  | Extract<AppendResult, { outcome: 'conflict' }>;

class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Error types of permanent rejections. After any other error, the outcome is unknown. */
const REFUSALS = new Set([
  'event_store.client.AccessDenied',
  'event_store.client.StreamDeleted',
  'event_store.client.MaximumAppendSizeExceeded',
  // Sent by servers since 24.10.4 if an operator has set `MaxAppendEventSize`; missing from the client's messages.
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

/** Timeout in milliseconds of a request; the server itself times out after two seconds. */
const ATTEMPT_TIMEOUT = 5_000;

interface Waiting {
  answer(response: BatchAppendResp): void;
  fail(error: Error): void;
}

/** Sends a request and resolves with its response. Rejects when the call ends or times out; then the outcome is unknown. */
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
    // No request waits for a response after its timeout.
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
      milliseconds: ATTEMPT_TIMEOUT,
      fallback() {
        waiting.delete(id);
        const silence = new EventStoreSilent('the event store does not respond');
        // No request got a response, so the next append uses another connection.
        if (answers === answersBefore) call.destroy(silence);
        throw silence;
      },
    });
  };
}
