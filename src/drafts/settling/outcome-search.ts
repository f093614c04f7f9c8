/**
 * Searches for the transaction that decided the outcome of a draft. Pure. On a nonce, it is the transaction that spent the
 * value: the submission or the service's advance. On a recent blockhash, it is the one signed by the draft's own key.
 */
import { addressOf, decodeLegacyTransaction, decodeMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import { messageIn } from '../../chain/decode-submitted.ts';
import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import type { Likelihood, SlotWindow } from '../../chain/search-progress.ts';
import { wasExecuted } from '../../chain/was-executed.ts';
import type { ChainTip, Commitment, HistoryEntry, LandedTransaction } from '../../kernel/ports/chain.ts';
import { type AcceptedSubmission, type IssuedDraft, nonceOf } from '../../streams/draft-events.ts';
import { acceptedOf, isPending, type LivingDraft } from '../../streams/draft-state.ts';
import type { Decider } from './judge-outcome.ts';

/** Tolerance in slots: nodes of one cluster are some slots apart, and an acceptance records the slot of one node. */
const MARGIN = 32n;
/** Tolerance in seconds between a block's time and the clock that programs read in it: nodes may round or estimate. */
const MAX_SECONDS_APART = 300;

interface SearchTarget {
  /** Account whose history is read: the nonce account, or the draft's own key. */
  readonly address: string;
  readonly commitment: Commitment;
  /** Final tip; for drafts on a recent blockhash. */
  readonly tip?: ChainTip | undefined;
  /** Creation time of the draft's account, according to that account; seconds since the epoch. */
  readonly madeAt?: bigint | undefined;
}

export function outcomeSearch(
  state: LivingDraft,
  { address, commitment, tip, madeAt }: SearchTarget,
): Search {
  const { issued } = state;
  const known = candidatesOf(state);
  const memos = known.map(({ message }) => memosOf(message));
  const isOnNonce = nonceOf(issued) !== undefined;
  return {
    name: `outcome as ${commitment}, of ${known.length}`,
    commitment,
    known: known.map(({ signature }) => signature),
    history: {
      address,
      window: windowOf({ issued, accepted: acceptedOf(state) }, tip),
      // Require a history at least as recent as the state at the beginning of the search.
      ...(tip !== undefined && commitment === 'finalized' && { atLeastSlot: tip.slot }),
      likelihood(entry) {
        // A failed transaction spends a nonce value; on a recent blockhash it has no effect.
        if (entry.error !== undefined && !isOnNonce) return 'ruled-out';
        if (known.length > 0 && issued.subject.kind !== 'launch') return likelihoodByMemos(entry, memos);
        if (madeAt === undefined || entry.blockTime === undefined) return 'possible';
        const apart = Math.abs(entry.blockTime - Number(madeAt));
        if (apart === 0) return 'likely';
        return apart <= MAX_SECONDS_APART ? 'possible' : 'ruled-out';
      },
    },
    matches: (transaction) => candidateIn(state, transaction) !== undefined,
  };
}

/** Undefined if the search has not found the transaction. */
export function deciderIn(state: LivingDraft, found: SearchOutcome): Decider | undefined {
  if (found.kind === 'absent') return undefined;
  const { signature, transaction } = found;
  const candidate = candidateIn(state, transaction);
  if (candidate === undefined) return undefined;
  const { slot, error, logs } = transaction;
  return { isOurs: candidate.isOurs, signature, slot, error, logs };
}

interface Candidate {
  /** False for the service's advance of the nonce. */
  readonly isOurs: boolean;
  readonly message: Uint8Array;
  /** Expected signature. */
  readonly signature: string;
}

/** The submission and the service's nonce advance: both spend the same value, so at most one of them can have landed. */
function candidatesOf(state: LivingDraft): readonly Candidate[] {
  if (!isPending(state)) return [];
  const { accepted, overdue } = state;
  const ours = {
    isOurs: true,
    signature: accepted.signature,
    message: messageIn(accepted.signedTransaction),
  };
  if (overdue === undefined) return [ours];
  const { advanceSignature, advanceTransaction } = overdue;
  return [ours, { isOurs: false, signature: advanceSignature, message: messageIn(advanceTransaction) }];
}

function candidateIn(
  state: LivingDraft,
  transaction: LandedTransaction,
): Pick<Candidate, 'isOurs'> | undefined {
  const decoded = decodeLegacyTransaction(transaction.wire);
  // A transaction that is in a block without having been executed has decided nothing.
  if (!decoded.ok || !wasExecuted(transaction)) return undefined;
  const { bytes, accountKeys, requiredSignatures } = decoded.transaction.message;
  const { subject } = state.issued;
  if (subject.kind === 'launch') {
    // The creator may send a launch without the service, so a failed transaction decides nothing: another one may still land.
    const signers = accountKeys.slice(0, requiredSignatures).map(addressOf);
    return transaction.error === undefined && signers.includes(subject.positionMint)
      ? { isOurs: true }
      : undefined;
  }
  return candidatesOf(state).find(({ message }) => Buffer.compare(message, bytes) === 0);
}

interface Bytes {
  readonly issued: Pick<IssuedDraft, 'lifetime'>;
  readonly accepted: AcceptedSubmission | undefined;
}

/** Slots in which the draft can have landed. `tip`: a final tip, for bytes on a recent blockhash. */
function windowOf({ issued: { lifetime }, accepted }: Bytes, tip?: ChainTip): SlotWindow {
  const from = accepted?.afterSlot === undefined ? undefined : BigInt(accepted.afterSlot) - MARGIN;
  return {
    from: from !== undefined && from < 0n ? 0n : from,
    to:
      tip && lifetime.kind === 'recent-blockhash'
        ? lastSlot(BigInt(lifetime.lastValidBlockHeight), tip)
        : undefined,
  };
}

/** Upper bound of the slot of a block height. Each block has its own slot, so n blocks earlier is at least n slots earlier. */
function lastSlot(lastValidBlockHeight: bigint, { slot, blockHeight }: ChainTip): bigint | undefined {
  const blocksSince = blockHeight - lastValidBlockHeight;
  return blocksSince > 0n ? slot - blocksSince : undefined;
}

/** Texts of the message's memos. */
function memosOf(message: Uint8Array): readonly string[] {
  const decoded = decodeMessage(message);
  if (!decoded.ok) return [];
  const { accountKeys, instructions } = decoded.message;
  return instructions
    .filter(({ programIndex }) => {
      const key = accountKeys[programIndex];
      return key !== undefined && addressOf(key) === MEMO_PROGRAM;
    })
    .map(({ data }) => Buffer.from(data).toString());
}

/**
 * Compares a history entry's memo with the candidates' memos. An entry without a memo is possible, since some nodes omit
 * memos; another memo rules the entry out.
 */
function likelihoodByMemos(
  { memo }: Pick<HistoryEntry, 'memo'>,
  candidates: readonly (readonly string[])[],
): Likelihood {
  if (memo === undefined) return 'possible';
  const fits = candidates.some((texts) => texts.length > 0 && texts.every((text) => memo.includes(text)));
  return fits ? 'likely' : 'ruled-out';
}
