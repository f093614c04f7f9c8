/**
 * Observes drafts until the chain has decided their outcome. On a durable nonce, the value decides, which either the submission
 * or another transaction consumes. On a recent blockhash, the block height, the created accounts, and the history of the
 * draft's own key decide.
 *
 * After the deadline of a submission on a nonce, the service sends its own nonce advance until the value is consumed. A settler
 * that started or took over late first sends the submission for the full period. Launches are observed from their issue on,
 * because clients send them themselves.
 */
import { buildNonceAdvance, decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Keyring } from '../../chain/keys.ts';
import type { Chain, ChainAccount, ChainTip, SignatureStatus } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import {
  DraftExpired,
  type DurableNonce,
  type IssuedDraft,
  nonceOf,
  SubmissionOverdue,
} from '../../streams/draft-events.ts';
import {
  acceptedOf,
  isLiving,
  isOutcomeOpen,
  isPending,
  isUnderWay,
  knownSignature,
  type LivingDraft,
  type PendingSubmission,
} from '../../streams/draft-state.ts';
import { behaviourOf } from '../purposes/index.ts';
import type { Made } from '../purposes/purpose-behaviour.ts';
import { type AccountEvidence, concludeFromTransaction, judgeOutcome } from './judge-outcome.ts';
import type { LoadedDraft } from './loaded-draft.ts';
import { deciderIn, outcomeSearch } from './outcome-search.ts';
import type { FollowedDrafts } from './settler.ts';
import { type Conclusion, failedStep, type Step } from './steps.ts';

/** State of the draft's accounts at one commitment. */
interface Mark {
  readonly trace: AccountEvidence;
  /** Undefined for a draft on a nonce, whose value decides. */
  readonly made?: Made;
}

/** Accounts that show whether a draft's outcome is decided. */
interface Marks {
  readonly addresses: readonly string[];
  read(accounts: readonly (ChainAccount | undefined)[]): Mark;
}

interface LivingOutcome extends Pick<LoadedDraft, 'transactionId'> {
  readonly state: LivingDraft;
  /** Account whose history includes the draft's transaction: the nonce account, or the draft's own key. */
  readonly address: string;
  readonly marks: Marks;
}

interface ObservedDraft {
  readonly status: SignatureStatus | undefined;
  readonly confirmed: Mark;
  readonly finalized: Mark;
  /** Final tip, read before status and marks. Undefined if all drafts are on nonces. */
  readonly tip: ChainTip | undefined;
}

interface Parts {
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Milliseconds for sending a submission; after that, its nonce is advanced instead. */
  readonly settleDeadline: number;
}

const UNSEEN: Mark = { trace: 'unseen' };

export function draftOutcomes(parts: Parts): FollowedDrafts<LoadedDraft & LivingOutcome, ObservedDraft> {
  const { chain, keyring } = parts;

  async function marksOf(
    drafts: readonly LivingOutcome[],
    commitment: 'confirmed' | 'finalized',
    options?: { readonly atLeastSlot: bigint },
  ): Promise<ReadonlyMap<LivingOutcome, Mark>> {
    const addresses = drafts.flatMap(({ marks }) => marks.addresses);
    const accounts = addresses.length === 0 ? [] : await chain.accounts(addresses, commitment, options);
    let read = 0;
    return new Map(
      drafts.map((draft) => {
        const own = accounts.slice(read, read + draft.marks.addresses.length);
        read += own.length;
        return [draft, draft.marks.read(own)];
      }),
    );
  }

  async function statusesOf(drafts: readonly LivingOutcome[]) {
    const known = drafts.flatMap((draft) => {
      const signature = knownSignature(draft.state);
      return signature === undefined ? [] : [{ draft, signature }];
    });
    const statuses = known.length === 0 ? [] : await chain.statuses(known.map(({ signature }) => signature));
    return new Map(known.map(({ draft }, index) => [draft, statuses[index]]));
  }

  return {
    select(followed) {
      const { transactionId, state } = followed;
      if (!isLiving(state)) return undefined;
      const nonce = nonceOf(state.issued);
      // An open draft on a nonce ends by its expiry, together with its lease.
      if (nonce !== undefined && !isPending(state)) return undefined;
      if (state.status === 'cancelled' && !isOutcomeOpen(state)) return undefined;
      const address = nonce?.nonceAccount ?? keyOf(keyring, transactionId, state.issued);
      return { ...followed, state, address, marks: nonce ? nonceMarks(nonce) : blockhashMarks(state) };
    },

    async observe(drafts) {
      const isOnNonces = drafts.every(({ state }) => nonceOf(state.issued) !== undefined);
      // Read the height first: a transaction that is missing afterwards was in no block up to that height.
      const tip = isOnNonces ? undefined : await chain.tip('finalized');
      const statuses = await statusesOf(drafts);
      // A successful status is sufficient; read the accounts of the other drafts only.
      const unknown = drafts.filter((draft) => !hasSucceeded(statuses.get(draft)));
      const confirmed = await marksOf(unknown, 'confirmed');
      // A draft that is undecided at `confirmed` is undecided at `finalized` too, which saves the second call.
      const decided = unknown.filter(
        (draft) =>
          draft.state.status === 'confirmed' ||
          confirmed.get(draft)?.trace !== 'open' ||
          isOver(draft.state.issued, tip),
      );
      const finalized = await marksOf(decided, 'finalized', tip && { atLeastSlot: tip.slot });
      return drafts.map((draft) => {
        const final = finalized.get(draft) ?? UNSEEN;
        return {
          status: statuses.get(draft),
          confirmed: confirmed.get(draft) ?? UNSEEN,
          finalized: isOver(draft.state.issued, tip) ? { ...final, trace: 'decided' } : final,
          tip,
        };
      });
    },

    nextStep: (followed, observed, sentSince) => nextStep(followed, observed, { ...parts, sentSince }),
  };
}

/** Key that signs only this draft, on a recent blockhash. */
function keyOf(
  keyring: Keyring,
  transactionId: string,
  { subject, lifetime }: Pick<IssuedDraft, 'subject' | 'lifetime'>,
): string {
  if (subject.kind === 'launch') return subject.positionMint;
  const [key] = behaviourOf(subject.kind).signers(keyring, transactionId, lifetime.kind);
  if (key === undefined) throw new Error('a draft on a recent blockhash must be signed by its own key');
  return key.address;
}

/** True if no later block on any fork can include the bytes, given a final tip. */
export function isOver(
  { lifetime }: Pick<IssuedDraft, 'lifetime'>,
  tip: Pick<ChainTip, 'blockHeight'> | undefined,
): boolean {
  return (
    tip !== undefined &&
    lifetime.kind === 'recent-blockhash' &&
    tip.blockHeight > BigInt(lifetime.lastValidBlockHeight)
  );
}

function nonceMarks({ nonceAccount, nonceValue }: DurableNonce): Marks {
  return {
    addresses: [nonceAccount],
    read([account]) {
      const value = account && decodeNonceAccount(account.data)?.value;
      return { trace: value === undefined ? 'unseen' : value === nonceValue ? 'open' : 'decided' };
    },
  };
}

function blockhashMarks(state: LivingDraft): Marks {
  const { creator, subject } = state.issued;
  // Open drafts are not signed by the service, except launches, so they cannot have landed.
  const traces = isOutcomeOpen(state) ? behaviourOf(subject.kind).traces?.({ creator, subject }) : undefined;
  return {
    addresses: traces?.addresses ?? [],
    read(accounts) {
      const made = traces?.made(accounts) ?? { kind: 'untold' };
      return { trace: made.kind === 'yes' ? 'decided' : 'open', made };
    },
  };
}

interface Sending extends Pick<Parts, 'keyring' | 'clock' | 'settleDeadline'> {
  /** Time when this settler first sent the draft's bytes, in milliseconds since the epoch. */
  readonly sentSince: number | undefined;
}

function nextStep(followed: LivingOutcome, observed: ObservedDraft, sending: Sending): Step {
  const { transactionId, state } = followed;
  const verdict = judgeOutcome(transactionId, state, observed);
  if (typeof verdict === 'object') return verdict;
  if (verdict !== 'send') return decidedStep(followed, observed, verdict);
  return isPending(state) ? sendOrOvertake(transactionId, state, sending) : { kind: 'wait' };
}

function sendOrOvertake(
  transactionId: string,
  { issued, accepted, overdue }: PendingSubmission,
  { keyring, clock, sentSince, settleDeadline }: Sending,
): Step {
  const nonce = nonceOf(issued);
  if (overdue !== undefined) return { kind: 'send', transaction: overdue.advanceTransaction };
  // Advance the nonce only after this settler has sent the submission for the full period.
  const isOverdue =
    sentSince !== undefined &&
    clock.now().getTime() >= Math.max(Date.parse(accepted.deadline), sentSince + settleDeadline);
  if (nonce === undefined || !isOverdue) return { kind: 'send', transaction: accepted.signedTransaction };
  const advance = buildNonceAdvance({
    feePayer: keyring.feePayer,
    nonceAuthority: keyring.nonceAuthority,
    nonceAccount: nonce.nonceAccount,
    value: nonce.nonceValue,
  });
  // Record the advance first; the next round sends it.
  return {
    kind: 'record',
    event: SubmissionOverdue({
      transactionId,
      advanceSignature: advance.signature,
      advanceTransaction: Buffer.from(advance.wire).toString('base64'),
    }),
  };
}

/** The outcome is decided: find the transaction that decided it, or prove its absence. */
function decidedStep(
  followed: LivingOutcome,
  observed: ObservedDraft,
  commitment: 'confirmed' | 'finalized',
): Step {
  const { transactionId, state, address } = followed;
  const { status, tip } = observed;
  const { made } = observed[commitment];
  if (!isOutcomeOpen(state)) return { kind: 'record', event: DraftExpired({ transactionId }) };
  // The account that only this draft creates is missing, so the draft has not landed, regardless of its key's history.
  if (made?.kind === 'no') return { kind: 'absent', event: notLanded(followed, status?.error, []).event };
  return {
    kind: 'search',
    search: outcomeSearch(state, {
      address,
      commitment,
      tip,
      madeAt: made?.kind === 'yes' ? made.at : undefined,
    }),
    conclude(found) {
      const decider = deciderIn(state, found);
      if (decider === undefined) {
        // The accounts exist or the value is spent, but a node may return an account before its transaction. Wait for it.
        if (found.kind === 'found' || made?.kind !== 'untold') return { kind: 'wait' };
        const { error = status?.error, logs = [] } =
          found.others.get(acceptedOf(state)?.signature ?? '') ?? {};
        return notLanded(followed, error, logs);
      }
      return concludeFromTransaction(transactionId, state, decider, commitment);
    },
  };
}

function notLanded(
  { transactionId, state }: LivingOutcome,
  error: string | undefined,
  logs: readonly string[],
): Extract<Conclusion, { kind: 'record' }> {
  if (!isUnderWay(state)) return { kind: 'record', event: DraftExpired({ transactionId }) };
  return failedStep(transactionId, error, logs);
}

function hasSucceeded(status: SignatureStatus | undefined): boolean {
  return status !== undefined && status.error === undefined && status.commitment !== 'processed';
}
