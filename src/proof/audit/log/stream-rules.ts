/**
 * Rules about the order of a stream's events, written independently of the commands that record them. Each returns the
 * violation, or undefined.
 */
import { categoryOf } from '../../../kernel/ports/append-rules.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent, DistributionState } from '../../../streams/distribution.ts';
import type {
  DistributionRunEvent,
  DistributionRunState,
  PlannedBatch,
} from '../../../streams/distribution-run.ts';
import type { DistributionSwitchState } from '../../../streams/distribution-switch.ts';
import type { DistributionWalletState } from '../../../streams/distribution-wallet.ts';
import { type Conclusion, type DraftEvent, nonceOf } from '../../../streams/draft-events.ts';
import {
  conclusionOf,
  type DraftState,
  type DraftStatus,
  isLiving,
  isOnRecord,
} from '../../../streams/draft-state.ts';
import type { LaunchState } from '../../../streams/launch.ts';
import type { NonceAccountEvent, NonceAccountState } from '../../../streams/nonce-account.ts';
import { type PartnersState, partnerNamed } from '../../../streams/partners.ts';
import type { ServiceState } from '../../../streams/service.ts';
import type { SignInState } from '../../../streams/sign-in.ts';
import type { TokenState } from '../../../streams/token.ts';
import type { Finding } from '../finding.ts';

type BrokenRule = Pick<Finding, 'what' | 'expected' | 'found'>;

/** Rule that an event violates in this state of its stream; undefined if none. */
export function ruleBrokenBy(state: unknown, event: Recorded): BrokenRule | undefined {
  return misplaced(event) ?? RULES[categoryOf(event.stream)]?.(state, event) ?? repeated(state, event);
}

type Rule = (state: unknown, event: Recorded) => BrokenRule | undefined;

// The codec has checked that each category contains only its own events, and each state is folded from them.
const RULES: { readonly [category: string]: Rule | undefined } = {
  draft: (state, event) => draftRule(state as DraftState, event as Recorded<DraftEvent>),
  token: (state, event) => firstRule((state as TokenState) === undefined, event, 'TokenCreated'),
  launch: (state, event) => firstRule((state as LaunchState) === undefined, event, 'LaunchStarted'),
  nonce: (state, event) => nonceRule(state as NonceAccountState, event as Recorded<NonceAccountEvent>),
  distribution: (state, event) =>
    distributionRule(state as DistributionState, event as Recorded<DistributionEvent>),
  run: (state, event) => runRule(state as DistributionRunState, event as Recorded<DistributionRunEvent>),
};

type DataOf<Type extends DistributionRunEvent['type']> = Extract<
  DistributionRunEvent,
  { type: Type }
>['data'];

/**
 * Checks whether an event repeats the current state. Commands record nothing in that case, so the event is a duplicate. The
 * other rules cover the remaining duplicates.
 */
const REPEATS_STATE: { readonly [type: string]: ((state: never, data: never) => boolean) | undefined } = {
  AllDistributionsHalted: (state: DistributionSwitchState) => state !== undefined,
  AllDistributionsResumed: (state: DistributionSwitchState) => state === undefined,
  ChallengeUsed: ({ usedBy }: SignInState) => usedBy !== undefined,
  DistributionHalted: ({ halted }: DistributionState) => halted !== undefined,
  DistributionResumed: ({ halted }: DistributionState) => halted === undefined,
  DraftConcluded: (state: DraftState) => conclusionOf(state) !== undefined,
  DraftHistoryFlooded: (state: DraftState) => isLiving(state) && state.flooded !== undefined,
  DraftOutcomeUnknown: (state: DraftState) => isLiving(state) && state.unknown !== undefined,
  DistributionWalletGenerated: (state: DistributionWalletState) => state !== undefined,
  HoldersScanned: ({ scanned }: DistributionRunState) => scanned !== undefined,
  LaunchCompleted: (state: LaunchState) => state?.isCompleted === true,
  LaunchStarted: (state: LaunchState) => state !== undefined,
  PartnerEnded: (state: PartnersState, { partner }: NamedPartner) =>
    partnerNamed(state, partner)?.ended !== false,
  PartnerKeyRotated: (state: PartnersState, { partner, keyId }: NamedPartner) =>
    partnerNamed(state, partner)?.keyId === keyId,
  PartnerMade: (state: PartnersState, { partner }: NamedPartner) =>
    partnerNamed(state, partner)?.ended === false,
  RoundRecorded: ({ rounds }: DistributionRunState, { round }: DataOf<'RoundRecorded'>) => round <= rounds,
  RunAllotted: ({ allotted }: DistributionRunState) => allotted !== undefined,
  SaleAwaited: ({ saleAwaited }: DistributionRunState, { reason }: DataOf<'SaleAwaited'>) =>
    saleAwaited.includes(reason),
  ScanDisagreed: ({ scanDisagreedAt }: DistributionRunState, { at: since }: DataOf<'ScanDisagreed'>) =>
    scanDisagreedAt === since,
  ServiceInitialized: (state: ServiceState) => state !== undefined,
  TaxCollected: ({ collected }: DistributionRunState) => collected !== undefined,
  TaxSplit: ({ split }: DistributionRunState) => split !== undefined,
  TokenCreated: (state: TokenState) => state?.exists === true,
  TokenCreationReverted: (state: TokenState) => state?.exists === false,
  TokenHidden: (state: TokenState) => state?.hidden !== undefined,
  TokenShown: (state: TokenState) => state?.hidden === undefined,
  WitnessAwaited: ({ witnessed }: DistributionRunState, { witness }: DataOf<'WitnessAwaited'>) =>
    witnessed.includes(witness),
};

interface NamedPartner {
  readonly partner: string;
  readonly keyId: string;
}

function repeated(state: unknown, { type, data, stream, revision }: Recorded): BrokenRule | undefined {
  if (REPEATS_STATE[type]?.(state as never, data as never) !== true) return undefined;
  return {
    what: `${type} changes the state of its stream`,
    expected: 'nothing',
    found: `another one, revision ${revision} of ${stream}`,
  };
}

/** Paths of the data fields that identify the stream. */
const NAMED_BY: { readonly [category: string]: readonly string[] | undefined } = {
  draft: ['transactionId'],
  token: ['tokenId', 'token.tokenId'],
  launch: ['tokenId', 'launch.tokenId'],
  nonce: ['account'],
  wallet: ['walletId'],
  owners: ['tokenId'],
  distribution: ['tokenId'],
  run: ['runId'],
};

function misplaced({ stream, data }: Recorded): BrokenRule | undefined {
  const category = categoryOf(stream);
  const named = NAMED_BY[category]?.map((path) => at(data, path)).find((value) => value !== undefined);
  const expected = `${category}-${String(named)}`;
  if (named === undefined || expected === stream) return undefined;
  return { what: 'an event is in the stream that it names', expected, found: stream };
}

function at(data: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as { readonly [name: string]: unknown } | undefined)?.[name],
      data,
    );
}

function firstRule(isFirst: boolean, { type }: Recorded, first: string): BrokenRule | undefined {
  if (!isFirst || type === first) return undefined;
  return { what: `${first} is the first event of its stream`, expected: first, found: type };
}

/** Outcomes that may follow an operator's conclusion. */
const ENDS_AS: { readonly [outcome in Conclusion['outcome']]: readonly DraftEvent['type'][] } = {
  landed: ['SubmissionFinalized'],
  'not-landed': ['SubmissionFailed', 'DraftExpired'],
};

type Moves = { readonly [status in DraftStatus]?: readonly DraftEvent['type'][] };

const ENDS = ['SubmissionFinalized', 'SubmissionFailed'] as const;
/** Events recorded during the search for an outcome. */
const SEARCHED = ['DraftHistoryFlooded', 'DraftOutcomeUnknown', 'DraftConcluded'] as const;
const MOVES: Moves = {
  absent: ['DraftAbandoned', 'DraftIssued'],
  open: ['DraftSuperseded', 'DraftExpired', 'DraftCancelled', 'SubmissionAccepted'],
  submitted: [...ENDS, 'SubmissionOverdue', 'SubmissionConfirmed', ...SEARCHED],
  confirmed: [...ENDS, 'SubmissionDropped', ...SEARCHED],
};
/** A creator may submit a launch without the service, so its outcome can follow directly on an open or cancelled draft. */
const MOVES_OF_LAUNCH: Moves = {
  ...MOVES,
  open: [...(MOVES.open ?? []), ...ENDS, 'SubmissionConfirmed', ...SEARCHED],
  cancelled: [...ENDS, 'DraftExpired', 'SubmissionConfirmed', ...SEARCHED],
};

function draftRule(state: DraftState, { type }: Recorded<DraftEvent>): BrokenRule | undefined {
  // The quarantined issue was reported at the first event after it.
  if (state.status === 'unreadable') return undefined;
  const moves = movesOf(state)[state.status] ?? [];
  const concluded = conclusionOf(state);
  const next =
    concluded === undefined ? moves : moves.filter((move) => ENDS_AS[concluded.outcome].includes(move));
  if (next.includes(type)) return undefined;
  return {
    what: "a draft's events are in a valid order",
    expected:
      next.length === 0 ? `nothing after ${state.status}` : `after ${state.status}: ${next.join(' or ')}`,
    found: type,
  };
}

function movesOf(state: DraftState): Moves {
  if (!isOnRecord(state) || nonceOf(state.issued) !== undefined) return MOVES;
  return state.issued.subject.kind === 'launch' ? MOVES_OF_LAUNCH : MOVES;
}

function nonceRule(state: NonceAccountState, event: Recorded<NonceAccountEvent>): BrokenRule | undefined {
  const { type, data } = event;
  if (state === undefined || type === 'NonceAccountOpened')
    return (
      firstRule(state === undefined, event, 'NonceAccountOpened') ?? onceRule(state !== undefined, event)
    );
  if (type === 'NonceLeased') {
    if (data.value === state.value && (state.lease ?? data.transactionId) === data.transactionId)
      return undefined;
    return {
      what: 'a nonce account is leased to one draft at a time, at its current value',
      expected: `${state.lease ?? 'any draft'} at ${state.value}`,
      found: `${data.transactionId} at ${data.value}`,
    };
  }
  if (state.lease === data.transactionId) return undefined;
  return {
    what: 'a nonce account is released by the draft that leased it',
    expected: state.lease ?? 'no draft',
    found: data.transactionId,
  };
}

function onceRule(isSecond: boolean, { type, stream }: Recorded): BrokenRule | undefined {
  if (!isSecond) return undefined;
  return { what: `${type} occurs once in its stream`, expected: 'one', found: `another in ${stream}` };
}

function distributionRule(
  state: DistributionState,
  event: Recorded<DistributionEvent>,
): BrokenRule | undefined {
  switch (event.type) {
    case 'RunOpened': {
      if (state.open !== undefined)
        return {
          what: 'a token has one open run at a time',
          expected: `the end of run ${state.open.runId}`,
          found: `run ${event.data.runId}`,
        };
      const [expected, found] = [state.runs + 1, event.data.number];
      return expected === found
        ? undefined
        : { what: 'the runs of a token are numbered', expected: `${expected}`, found: `${found}` };
    }
    case 'LinksRecorded':
    case 'LinksLanded':
    case 'RunClosed': {
      const open = state.open?.runId ?? 'no run';
      if (open !== event.data.runId)
        return { what: 'a step belongs to the open run', expected: open, found: event.data.runId };
      return event.type === 'LinksLanded' ? linkRule(state, event.data.links) : undefined;
    }
    default:
      return undefined;
  }
}

function linkRule(
  { pending }: DistributionState,
  landed: readonly { readonly till: string }[],
): BrokenRule | undefined {
  const recorded = new Set(pending.map(({ till }) => till));
  const unknown = landed.find(({ till }) => !recorded.has(till));
  if (unknown === undefined) return undefined;
  return {
    what: 'a link was recorded before it landed',
    expected: 'one of the recorded contents',
    found: `the till ${unknown.till}`,
  };
}

function runRule(state: DistributionRunState, event: Recorded<DistributionRunEvent>): BrokenRule | undefined {
  if (event.type !== 'BatchesSettled') return undefined;
  for (const batch of event.data.batches) {
    const { plans } = state.pots[batch.pot] ?? { plans: [] };
    if (plans.some((plan) => isSamePlan(plan, batch))) continue;
    return {
      what: 'a batch was recorded before it was paid',
      expected: 'one of the batches recorded for this value of the pot',
      found: `pot ${batch.pot} at ${batch.value}, payments ${batch.from} to ${batch.to}, signature ${batch.signature}`,
    };
  }
  return undefined;
}

function isSamePlan(one: PlannedBatch, other: PlannedBatch): boolean {
  return (
    one.value === other.value &&
    one.from === other.from &&
    one.to === other.to &&
    one.without.join() === other.without.join()
  );
}
