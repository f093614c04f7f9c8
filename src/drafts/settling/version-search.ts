/**
 * What is searched for a submission on a recent blockhash that can no longer land, and what the answer means. Pure. The
 * history of the draft's own key shows it: only the accepted message carries its signature.
 */
import { decodeLegacyTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { hasRun } from '../../chain/has-run.ts';
import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import type { ChainAccount, ChainTip } from '../../kernel/ports/chain.ts';
import type { PendingSubmission } from '../../streams/draft-state.ts';
import type { Landing } from './judge-version.ts';
import { likelihoodByMemos, memosOf } from './our-memo.ts';
import { windowOf } from './slot-window.ts';
import { messageIn } from './wire-message.ts';

export function versionSearch(
  { issued, accepted }: PendingSubmission,
  { key, tip }: { readonly key: string; readonly tip: ChainTip },
): Search {
  const message = messageIn(accepted.signedTransaction);
  const memos = memosOf(message);
  return {
    name: `landing of ${accepted.signature}`,
    commitment: 'finalized',
    known: [accepted.signature],
    history: {
      address: key,
      window: windowOf({ issued, accepted }, tip),
      atLeastSlot: tip.slot,
      // A failed one has moved nothing: whether it is ours changes nothing.
      likelihood: (entry) => (entry.error === undefined ? likelihoodByMemos(entry, [memos]) : 'ruled-out'),
    },
    matches(transaction) {
      const decoded = decodeLegacyTransaction(transaction.wire);
      return (
        hasRun(transaction) && decoded.ok && Buffer.compare(decoded.transaction.message.bytes, message) === 0
      );
    },
  };
}

/** `keyAccount`: as a final block past the end of the bytes shows it. */
export function landingOf(outcome: SearchOutcome, keyAccount: ChainAccount | undefined): Landing {
  if (outcome.kind === 'absent') return isMade(keyAccount) ? { kind: 'unknown' } : { kind: 'absent' };
  const { signature, transaction } = outcome;
  const { slot, error, logs } = transaction;
  return { kind: 'landed', signature, slot, error, logs };
}

/**
 * Whether the message has landed for all that the history says: nobody else can make an account of a program at the
 * address of its key. Lamports alone prove nothing, since anybody may send some.
 */
export function isMade(keyAccount: ChainAccount | undefined): boolean {
  return keyAccount !== undefined && keyAccount.owner !== SYSTEM_PROGRAM;
}
