/**
 * Rules about the order of a stream's events, written independently of the commands that record them. Each returns the
 * violation, or undefined.
 */
import { categoryOf } from '../../../kernel/ports/append-rules.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent, DistributionState } from '../../../streams/distribution.ts';
import { type Conclusion, type DraftEvent, nonceOf } from '../../../streams/draft-events.ts';
import { conclusionOf, type DraftState, type DraftStatus, isOnRecord } from '../../../streams/draft-state.ts';
import type { LaunchState } from '../../../streams/launch.ts';
import type { NonceAccountEvent, NonceAccountState } from '../../../streams/nonce-account.ts';
import type { TokenState } from '../../../streams/token.ts';
import type { Finding } from '../finding.ts';

type BrokenRule = Pick<Finding, 'what' | 'expected' | 'found'>;

/** Rule that an event violates in this state of its stream; undefined if none. */
export function ruleBrokenBy(state: unknown, event: Recorded): BrokenRule | undefined {
  return misplaced(event) ?? RULES[categoryOf(event.stream)]?.(state, event);
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
};

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
  // The draft's `DraftIssued` is quarantined, which was reported at the event after it.
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
    case 'RunOpened':
      if (state.open === undefined) return undefined;
      return {
        what: 'a token has one open run at a time',
        expected: `the end of run ${state.open.runId}`,
        found: `run ${event.data.runId}`,
      };
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
