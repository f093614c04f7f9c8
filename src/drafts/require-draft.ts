/** Requirements on the state of a draft, and the rejections of other states. */

import type { Executor } from '../kernel/runtime/execute.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { draft } from '../streams/draft.ts';
import {
  type DraftOnRecord,
  type DraftState,
  type DraftStatus,
  isCancelled,
  isOnRecord,
  type OpenDraft,
} from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';

/** Throws `TRANSACTION_NOT_FOUND` or `NOT_TRANSACTION_OWNER`. */
export function requireOwn(state: DraftState, caller: string): DraftOnRecord {
  if (!isOnRecord(state)) {
    throw rejection('TRANSACTION_NOT_FOUND', 'Transaction not found.');
  }
  if (state.issued.creator !== caller) {
    throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
  }
  return state;
}

/** Throws `TRANSACTION_CANCELLED`, `TRANSACTION_SUPERSEDED` or `TRANSACTION_EXPIRED`. */
export function requireOpen(state: DraftState, now: string): OpenDraft {
  if (isCancelled(state)) {
    throw rejection('TRANSACTION_CANCELLED', 'You cancelled this transaction; create a new one.');
  }
  if (state.status === 'superseded') throw draftSupersededRejection();
  if (state.status !== 'open' || state.issued.expiresAt <= now) {
    throw draftExpiredRejection();
  }
  return state;
}

export function draftExpiredRejection() {
  return rejection('TRANSACTION_EXPIRED', 'The transaction has expired; create a new one.');
}

export function draftSupersededRejection() {
  return rejection(
    'TRANSACTION_SUPERSEDED',
    'A newer draft of the same wallet has replaced this transaction.',
  );
}

/** `error`: the chain's error as JSON text. */
export function simulationFailedRejection(error: string, logs: readonly string[]): Rejection {
  return rejection('CHAIN_REJECTED', `The chain would reject the transaction: ${error}.`, {
    details: [
      { path: ['error'], message: error },
      ...logs.map((message, line) => ({ path: ['logs', String(line)], message })),
    ],
  });
}

const ENDS: readonly DraftStatus[] = ['failed', 'expired', 'superseded', 'cancelled'];

/** True if the draft has not landed and the service will never accept it. A cancelled launch may still land. */
export function isEnded({ status }: DraftState): boolean {
  return ENDS.includes(status);
}

/** Selects the drafts whose transactions have not landed and no longer can. */
export async function endedDrafts(
  executor: Executor,
  transactionIds: readonly string[],
): Promise<readonly string[]> {
  const loaded = await Promise.all(
    transactionIds.map(async (transactionId) => (await executor.load(draft, transactionId)).state),
  );
  return transactionIds.filter((_, index) => loaded[index] !== undefined && isEnded(loaded[index]));
}
