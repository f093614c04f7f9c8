/** What is searched to know which of the transactions that could consume a nonce value did so. Pure. */

import { decodeLegacyTransaction } from 'levy-solana-wire';
import { hasRun } from '../../chain/has-run.ts';
import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import type { Commitment, LandedTransaction } from '../../kernel/ports/chain.ts';
import type { DurableNonce } from '../../streams/draft-events.ts';
import type { PendingSubmission } from '../../streams/draft-state.ts';
import { likelihoodByMemos, memosOf } from './our-memo.ts';
import { windowOf } from './slot-window.ts';
import { messageIn } from './wire-message.ts';

/** A transaction that could consume the value: its message, and a signature under which it may have landed. */
export interface Candidate {
  readonly message: Uint8Array;
  readonly signature: string;
}

export interface Consumption {
  /** The candidate's index. */
  readonly candidate: number;
  /** May differ from the known signature: the same message can be signed differently. */
  readonly signature: string;
  readonly slot: number;
  readonly error: string | undefined;
  readonly logs: readonly string[];
}

/** The submission, and the service's advance behind it. */
function candidatesOf({ accepted, overdue }: PendingSubmission): readonly Candidate[] {
  const ours = { signature: accepted.signature, message: messageIn(accepted.signedTransaction) };
  if (overdue === undefined) return [ours];
  return [ours, { signature: overdue.advanceSignature, message: messageIn(overdue.advanceTransaction) }];
}

/**
 * All candidates spend the same value of the nonce account, so at most one of them can have landed; one that failed has
 * spent it as well.
 */
export function nonceSearch(state: PendingSubmission, nonce: DurableNonce, commitment: Commitment): Search {
  const candidates = candidatesOf(state);
  const memos = candidates.map(({ message }) => memosOf(message));
  return {
    name: `consumer of ${nonce.nonceValue} as ${commitment}, of ${candidates.length}`,
    commitment,
    known: candidates.map(({ signature }) => signature),
    history: {
      address: nonce.nonceAccount,
      window: windowOf(state),
      likelihood: (entry) => likelihoodByMemos(entry, memos),
    },
    matches: (transaction) => candidateIn(transaction, candidates) !== undefined,
  };
}

export function consumptionIn(state: PendingSubmission, outcome: SearchOutcome): Consumption | undefined {
  if (outcome.kind === 'absent') return undefined;
  const { signature, transaction } = outcome;
  const candidate = candidateIn(transaction, candidatesOf(state));
  if (candidate === undefined) return undefined;
  return { candidate, signature, slot: transaction.slot, error: transaction.error, logs: transaction.logs };
}

function candidateIn(transaction: LandedTransaction, candidates: readonly Candidate[]): number | undefined {
  const decoded = decodeLegacyTransaction(transaction.wire);
  // What stands in a block without having run has spent nothing.
  if (!hasRun(transaction) || !decoded.ok) return undefined;
  const { bytes } = decoded.transaction.message;
  const index = candidates.findIndex(({ message }) => Buffer.compare(message, bytes) === 0);
  return index === -1 ? undefined : index;
}
