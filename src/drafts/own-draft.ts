/** Which drafts a wallet may submit or cancel: its own, while they are open. */
import type { DraftState, IssuedDraft } from '../streams/draft.ts';
import { rejection } from '../streams/rejections.ts';
import { superseded } from './superseded.ts';

/** Throws `TRANSACTION_NOT_FOUND` or `NOT_TRANSACTION_OWNER`. */
export function requireOwn(state: DraftState, caller: string): IssuedDraft {
  if (state.issued === undefined) {
    throw rejection('TRANSACTION_NOT_FOUND', 'There is no transaction with this transactionId.');
  }
  if (state.issued.creator !== caller) {
    throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
  }
  return state.issued;
}

/** Throws `TRANSACTION_CANCELLED`, `TRANSACTION_SUPERSEDED` or `TRANSACTION_EXPIRED`. */
export function requireOpen(state: DraftState, now: string): void {
  if (state.cancelled) {
    throw rejection('TRANSACTION_CANCELLED', 'You cancelled this transaction; create a new one.');
  }
  if (state.status === 'superseded') throw superseded();
  if (state.status !== 'open' || state.issued === undefined || state.issued.expiresAt <= now) {
    throw rejection('TRANSACTION_EXPIRED', 'The transaction has expired; create a new one.');
  }
}
