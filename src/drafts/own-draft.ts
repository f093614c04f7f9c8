/** Which drafts a wallet may submit or cancel: its own, while they are open. */
import {
  type DraftOnRecord,
  type DraftState,
  isCancelled,
  isOnRecord,
  type OpenDraft,
} from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';

/** Throws `TRANSACTION_NOT_FOUND` or `NOT_TRANSACTION_OWNER`. */
export function requireOwn(state: DraftState, caller: string): DraftOnRecord {
  if (!isOnRecord(state)) {
    throw rejection('TRANSACTION_NOT_FOUND', 'There is no transaction with this transactionId.');
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
  if (state.status === 'superseded') throw superseded();
  if (state.status !== 'open' || state.issued.expiresAt <= now) {
    throw expired();
  }
  return state;
}

export function expired() {
  return rejection('TRANSACTION_EXPIRED', 'The transaction has expired; create a new one.');
}

export function superseded() {
  return rejection(
    'TRANSACTION_SUPERSEDED',
    'A newer draft for the same wallet took the place of this transaction.',
  );
}
