/**
 * Searches the transaction that decided the fate of a draft. Pure. On a nonce it is the one that spent the value: the submission or the
 * service's advance. On a recent blockhash it is the one that the draft's own key signed.
 */
import { addressOf, decodeLegacyTransaction, decodeMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import { hasRun } from '../../chain/has-run.ts';
import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import type { Likelihood, SlotWindow } from '../../chain/search-progress.ts';
import { messageIn } from '../../chain/sent-bytes.ts';
import type { ChainTip, Commitment, HistoryEntry, LandedTransaction } from '../../kernel/ports/chain.ts';
import { type AcceptedSubmission, type IssuedDraft, nonceOf } from '../../streams/draft-events.ts';
import { acceptedOf, isPending, type LivingDraft } from '../../streams/draft-state.ts';
import type { Decider } from './judge-outcome.ts';

/** Slots. Nodes of one cluster are some slots apart, and the slot of an acceptance is one node's. */
const MARGIN = 32n;
/** A block's time and the one that programs see in it are the same clock's; nodes may round or estimate. */
const MOST_SECONDS_APART = 300;

interface Wanted {
  /** The account whose history is read: the nonce's, or the draft's own key. */
  readonly address: string;
  readonly commitment: Commitment;
  /** A final block; for drafts on a recent blockhash. */
  readonly tip?: ChainTip | undefined;
  /** When what the draft makes was made, as its account says: seconds since 1970. */
  readonly madeAt?: bigint | undefined;
}

export function outcomeSearch(state: LivingDraft, { address, commitment, tip, madeAt }: Wanted): Search {
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
      // Not older than what was read when the search began.
      ...(tip !== undefined && commitment === 'finalized' && { atLeastSlot: tip.slot }),
      likelihood(entry) {
        // A failure spends a nonce value; on a blockhash it has moved nothing.
        if (entry.error !== undefined && !isOnNonce) return 'ruled-out';
        if (known.length > 0 && issued.subject.kind !== 'launch') return likelihoodByMemos(entry, memos);
        if (madeAt === undefined || entry.blockTime === undefined) return 'possible';
        const apart = Math.abs(entry.blockTime - Number(madeAt));
        if (apart === 0) return 'likely';
        return apart <= MOST_SECONDS_APART ? 'possible' : 'ruled-out';
      },
    },
    matches: (transaction) => candidateIn(state, transaction) !== undefined,
  };
}

/** Undefined where the search has not found it. */
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
  /** Signature under which it may have landed. */
  readonly signature: string;
}

/** The submission, and the service's advance behind it: both spend the same value, so at most one of them can have landed. */
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
  // A transaction that is in a block without having run has decided nothing.
  if (!decoded.ok || !hasRun(transaction)) return undefined;
  const { bytes, accountKeys, requiredSignatures } = decoded.transaction.message;
  const { subject } = state.issued;
  if (subject.kind === 'launch') {
    // Its creator may send it without the service, so a failed one decides nothing: another may still land.
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

/** The slots in which the draft can have landed. `tip`: a final block, for bytes on a recent blockhash. */
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

/** Each block has its own slot: a block lower by some blocks is lower by at least as many slots. */
function lastSlot(lastValidBlockHeight: bigint, { slot, blockHeight }: ChainTip): bigint | undefined {
  const blocksSince = blockHeight - lastValidBlockHeight;
  return blocksSince > 0n ? slot - blocksSince : undefined;
}

/** The texts of the message's memos. */
export function memosOf(message: Uint8Array): readonly string[] {
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
 * Compares the memos of the messages that it may carry. A node without memos rules nothing out; other memos mean another
 * transaction.
 */
export function likelihoodByMemos(
  { memo }: Pick<HistoryEntry, 'memo'>,
  candidates: readonly (readonly string[])[],
): Likelihood {
  if (memo === undefined) return 'possible';
  const fits = candidates.some((texts) => texts.length > 0 && texts.every((text) => memo.includes(text)));
  return fits ? 'likely' : 'ruled-out';
}
