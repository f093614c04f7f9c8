/** The one open call that carries all appends: each has a number, by which its answer is found. */
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchCall, Connection } from './connection.ts';
import { EventStoreSilent } from './errors.ts';

/** Timeout of one request; the server itself gives up after two seconds. Milliseconds. */
const ATTEMPT_PATIENCE = 5_000;

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

/** Sends a request and resolves with its answer. Rejects when the call ends, or when no answer comes: then the outcome is unknown. */
export type SendBatch = (requestOf: (correlation: number) => BatchAppendReq) => Promise<BatchAppendResp>;

export function createBatchCalls(connection: Connection): SendBatch {
  let current: Promise<OpenCall> | undefined;
  let correlation = 0;

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

  return async (requestOf) => {
    const open = await inUse();
    if (open.ended !== undefined) throw open.ended;
    correlation += 1;
    return send(open, String(correlation), requestOf(correlation));
  };
}

function send(open: OpenCall, id: string, request: BatchAppendReq): Promise<BatchAppendResp> {
  const { call, waiting, answers } = open;
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
