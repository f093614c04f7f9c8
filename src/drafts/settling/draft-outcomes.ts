/**
 * Follows drafts until the chain has decided about them, by what decides it: on a durable nonce the value, which either the submission
 * or another transaction consumes; on a recent blockhash the block height, what the draft makes, and the history of its own key.
 *
 * After the deadline of a submission on a nonce the service sends its own nonce advance until the value is consumed. A settler that could
 * not send until then, or took over, first sends for as long as a submission is sent at all. Launches are followed from their issue on,
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
import type { FollowedDraft } from './followed-draft.ts';
import { judgeDecider, judgeOutcome, type Trace } from './judge-outcome.ts';
import { deciderIn, outcomeSearch } from './outcome-search.ts';
import type { FollowedDrafts } from './settler.ts';
import { type Conclusion, failedStep, type Step } from './steps.ts';

/** The draft's accounts at one commitment. */
interface Mark {
  readonly trace: Trace;
  /** Undefined for a draft on a nonce, whose value decides. */
  readonly made?: Made;
}

/** Accounts that show whether a draft's fate is decided. */
interface Marks {
  readonly addresses: readonly string[];
  read(accounts: readonly (ChainAccount | undefined)[]): Mark;
}

interface LivingOutcome extends Pick<FollowedDraft, 'transactionId'> {
  readonly state: LivingDraft;
  /** The account in whose history its transaction is found: the nonce's, or its own key. */
  readonly address: string;
  readonly marks: Marks;
}

export interface ObservedDraft {
  readonly status: SignatureStatus | undefined;
  readonly confirmed: Mark;
  readonly finalized: Mark;
  /** Final, and not later than status and marks. Undefined where all drafts are on nonces. */
  readonly tip: ChainTip | undefined;
}

interface Parts {
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** For how long a submission is sent before it is overtaken. Milliseconds. */
  readonly settleDeadline: number;
}

const UNSEEN: Mark = { trace: 'unseen' };

export function draftOutcomes(parts: Parts): FollowedDrafts<FollowedDraft & LivingOutcome, ObservedDraft> {
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
      // An open one on a nonce is ended by its time, with its lease.
      if (nonce !== undefined && !isPending(state)) return undefined;
      if (state.status === 'cancelled' && !isOutcomeOpen(state)) return undefined;
      const address = nonce?.nonceAccount ?? keyOf(keyring, transactionId, state.issued);
      return { ...followed, state, address, marks: nonce ? nonceMarks(nonce) : blockhashMarks(state) };
    },

    async observe(drafts) {
      const isOnNonces = drafts.every(({ state }) => nonceOf(state.issued) !== undefined);
      // Read the height first: what is not shown later was in no block up to that height.
      const tip = isOnNonces ? undefined : await chain.tip('finalized');
      const statuses = await statusesOf(drafts);
      // A success needs nothing else; for the others the accounts are read.
      const unknown = drafts.filter((draft) => !hasSucceeded(statuses.get(draft)));
      const confirmed = await marksOf(unknown, 'confirmed');
      // A draft that is undecided at `confirmed` is undecided at `finalized` too: no second call.
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

/** The key of its own that signs a draft on a recent blockhash. */
function keyOf(
  keyring: Keyring,
  transactionId: string,
  { subject, lifetime }: Pick<IssuedDraft, 'subject' | 'lifetime'>,
): string {
  if (subject.kind === 'launch') return subject.positionMint;
  const [key] = behaviourOf(subject.kind).signers(keyring, transactionId, lifetime.kind);
  if (key === undefined) throw new Error('a key of its own signs every draft on a recent blockhash');
  return key.address;
}

/** No block after a final one of this height can hold the bytes, on any fork. */
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
  // Nothing of an open draft is signed by the service, but for a launch.
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
  /** When this settler first sent the draft's bytes, in milliseconds since 1970. */
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
  // Bytes that this settler has not sent for long enough are no reason to overtake them.
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
  // Record it before sending it: the next round sends it.
  return {
    kind: 'record',
    event: SubmissionOverdue({
      transactionId,
      advanceSignature: advance.signature,
      advanceTransaction: Buffer.from(advance.wire).toString('base64'),
    }),
  };
}

/** Only the transaction that has decided it is still to be found, or its absence. */
function decidedStep(
  followed: LivingOutcome,
  observed: ObservedDraft,
  commitment: 'confirmed' | 'finalized',
): Step {
  const { transactionId, state, address } = followed;
  const { status, tip } = observed;
  const { made } = observed[commitment];
  if (!isOutcomeOpen(state)) return { kind: 'record', event: DraftExpired({ transactionId }) };
  // The account that only this draft creates is missing: it has not landed, regardless of its key's history.
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
        // Its accounts exist, or the value is spent: a node may show an account before it knows the transaction.
        if (found.kind === 'found' || made?.kind !== 'untold') return { kind: 'wait' };
        const { error = status?.error, logs = [] } =
          found.others.get(acceptedOf(state)?.signature ?? '') ?? {};
        return notLanded(followed, error, logs);
      }
      return judgeDecider(transactionId, state, decider, commitment);
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
