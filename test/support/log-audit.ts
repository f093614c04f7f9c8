/** Holds a log to what must be true of it whatever befell the processes that wrote it: in sentences, none when all is well. */

import type { JsonObject, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { LeaseEvent } from '../../src/kernel/runtime/lease.ts';
import { type DraftEvent, type IssuedDraft, nonceOf } from '../../src/streams/draft-events.ts';
import type { DraftStatus } from '../../src/streams/draft-state.ts';
import type { NonceAccountEvent } from '../../src/streams/nonce-account.ts';
import type { TokenEvent } from '../../src/streams/token.ts';

export interface LogAudit {
  readonly faults: readonly string[];
  /** Submissions of which is not recorded yet what became of them, or that what they were for is so. */
  readonly underWay: readonly string[];
}

/** `events`: everything in the log, in its order, as the service writes it today. */
export function auditLog(events: readonly RecordedEvent[]): LogAudit {
  const lives = ofCategory<DraftEvent>(events, 'draft').map(([, own]) => lifeOf(own));
  const tokens = ofCategory<TokenEvent>(events, 'token');
  const births = new Set(tokens.flatMap(([, own]) => own.flatMap(transactionOfBirth)));
  return {
    underWay: lives.filter((life) => isUnderWay(life, births)).map(({ id }) => id),
    faults: [
      ...orderFaults(events),
      ...lives.flatMap(lifeFaults),
      ...spentTwice(lives),
      ...ofCategory<NonceAccountEvent>(events, 'nonce').flatMap(([name, own]) => nonceFaults(name, own)),
      ...tokenFaults(tokens, lives),
      ...ofCategory<LeaseEvent>(events, 'lease').flatMap(([name, own]) => leaseFaults(name, own)),
    ],
  };
}

type Told<Event> = Event & Omit<RecordedEvent, 'type' | 'data'>;

/** The streams of a category, in the order in which they began. Every stream holds only events of its category's schemas. */
function ofCategory<Event extends { type: string; data: JsonObject }>(
  events: readonly RecordedEvent[],
  category: string,
): readonly (readonly [string, readonly Told<Event>[]])[] {
  const streams = new Map<string, Told<Event>[]>();
  for (const event of events) {
    if (!event.stream.startsWith(`${category}-`)) continue;
    const own = streams.get(event.stream) ?? [];
    streams.set(event.stream, own);
    own.push(event as unknown as Told<Event>);
  }
  return [...streams];
}

/** Positions grow, every event is there once, and no stream has a gap. */
function orderFaults(events: readonly RecordedEvent[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const revisions = new Map<string, number>();
  let before = '';
  for (const { id, stream, revision, position, type } of events) {
    const name = `${type} at ${revision} of ${stream}`;
    if (position <= before) faults.push(`${name} comes after a later position`);
    if (ids.has(id)) faults.push(`${name} has the id of another event`);
    const last = revisions.get(stream);
    // The first events of a stream that is kept short may be gone.
    const isFirst = last === undefined && (revision === 0 || /^(lease|snapshot)-/.test(stream));
    if (!isFirst && revision !== (last ?? -1) + 1) faults.push(`${name} follows on ${last ?? 'nothing'}`);
    before = position;
    ids.add(id);
    revisions.set(stream, revision);
  }
  return faults;
}

interface Life {
  readonly id: string;
  readonly types: readonly string[];
  /** Undefined when it went as no draft may. */
  readonly status: DraftStatus | undefined;
  readonly issued: IssuedDraft | undefined;
  readonly isAccepted: boolean;
}

type Moves = { readonly [status in DraftStatus]?: { readonly [type: string]: DraftStatus } };

const ENDS = { SubmissionFinalized: 'finalized', SubmissionFailed: 'failed' } as const;
const searchedIn = (status: DraftStatus) => ({
  DraftHistoryFlooded: status,
  DraftOutcomeUnknown: status,
  DraftConcluded: status,
});
const MOVES: Moves = {
  absent: { DraftAbandoned: 'absent', DraftIssued: 'open' },
  open: {
    DraftSuperseded: 'superseded',
    DraftExpired: 'expired',
    DraftCancelled: 'cancelled',
    SubmissionAccepted: 'submitted',
  },
  submitted: {
    ...ENDS,
    SubmissionOverdue: 'submitted',
    SubmissionConfirmed: 'confirmed',
    ...searchedIn('submitted'),
  },
  confirmed: { ...ENDS, SubmissionDropped: 'submitted', ...searchedIn('confirmed') },
};
/** A launch may be sent by its creator, and is seen to land. */
const MOVES_BY_ITSELF: Moves = {
  ...MOVES,
  open: { ...MOVES.open, ...ENDS, SubmissionConfirmed: 'confirmed', ...searchedIn('open') },
  cancelled: {
    ...ENDS,
    DraftExpired: 'expired',
    SubmissionConfirmed: 'confirmed',
    ...searchedIn('cancelled'),
  },
  confirmed: { ...ENDS, SubmissionDropped: 'open', ...searchedIn('confirmed') },
};

function lifeOf(events: readonly Told<DraftEvent>[]): Life {
  const [issuing] = events.filter((event) => event.type === 'DraftIssued');
  const issued = issuing?.data as IssuedDraft | undefined;
  const moves = issued === undefined ? MOVES : movesOf(issued);
  const types = events.map(({ type }) => type);
  return {
    id: events[0]?.data.transactionId ?? '',
    types,
    status: types.reduce<DraftStatus | undefined>(
      (status, type) => (status === undefined ? undefined : moves[status]?.[type]),
      'absent',
    ),
    issued,
    isAccepted: types.includes('SubmissionAccepted'),
  };
}

function movesOf(issued: IssuedDraft): Moves {
  if (nonceOf(issued) !== undefined) return MOVES;
  return issued.subject.kind === 'launch' ? MOVES_BY_ITSELF : MOVES;
}

function lifeFaults({ id, types, status }: Life): string[] {
  const overdue = types.filter((type) => type === 'SubmissionOverdue').length;
  if (status === undefined || overdue > 1) return [`draft ${id} went ${types.join(', ')}`];
  return [];
}

function isUnderWay({ id, status, issued }: Life, births: ReadonlySet<string>): boolean {
  if (status === 'submitted' || status === 'confirmed') return true;
  return status === 'finalized' && issued?.subject.kind === 'token-creation' && !births.has(id);
}

/** No two submissions were accepted on one value of a nonce account. */
function spentTwice(lives: readonly Life[]): string[] {
  const spent = new Map<string, string>();
  return lives.flatMap(({ id, issued, isAccepted }) => {
    const nonce = issued && nonceOf(issued);
    if (nonce === undefined || !isAccepted) return [];
    const name = `${nonce.nonceAccount} at ${nonce.nonceValue}`;
    const other = spent.get(name);
    spent.set(name, id);
    return other === undefined ? [] : [`drafts ${other} and ${id} were both accepted on ${name}`];
  });
}

/** Leased to one draft at a time, and never under a value that it had before. */
function nonceFaults(name: string, events: readonly Told<NonceAccountEvent>[]): string[] {
  const faults: string[] = [];
  const values = new Set<string>();
  let value: string | undefined;
  let holder: string | undefined;
  for (const { type, data } of events) {
    switch (type) {
      case 'NonceAccountOpened':
        if (value !== undefined) faults.push(`${name} was opened twice`);
        value = data.value;
        values.add(value);
        break;
      case 'NonceLeased':
        if (holder !== undefined && holder !== data.transactionId)
          faults.push(`${name} was leased to ${data.transactionId} while ${holder} held it`);
        if (data.value !== value) faults.push(`${name} was leased under a value that it did not have`);
        holder = data.transactionId;
        break;
      default:
        if (holder !== data.transactionId)
          faults.push(`${name} was taken back from ${data.transactionId}, which did not hold it`);
        holder = undefined;
        if (type !== 'NonceRenewed') break;
        if (values.has(data.value)) faults.push(`${name} got a value that it had had before`);
        value = data.value;
        values.add(value);
    }
  }
  return faults;
}

function transactionOfBirth({ type, data }: Told<TokenEvent>): string[] {
  return type === 'TokenCreated' ? [data.transactionId] : [];
}

/** Each token was created once, by a draft of its own that landed. */
function tokenFaults(
  tokens: readonly (readonly [string, readonly Told<TokenEvent>[]])[],
  lives: readonly Life[],
): string[] {
  const faults: string[] = [];
  const known = new Map(lives.map((life) => [life.id, life]));
  const seen = new Set<string>();
  for (const [name, events] of tokens) {
    const births = events.filter((event) => event.type === 'TokenCreated');
    if (births.length !== 1 || events[0]?.type !== 'TokenCreated') {
      faults.push(`${name} was created ${births.length} times`);
      continue;
    }
    for (const { data } of births) {
      const life = known.get(data.transactionId);
      const isLanded = life?.types.some((type) => /^Submission(Confirmed|Finalized)$/.test(type)) ?? false;
      if (!isLanded) faults.push(`${name} was created by a draft that has not landed`);
      for (const what of [data.token.mintAddress, data.token.walletId, data.transactionId]) {
        if (seen.has(what)) faults.push(`${name} shares ${what} with another token`);
        seen.add(what);
      }
    }
  }
  return faults;
}

/** Terms follow one on another, and nobody writes in the term of somebody else. */
function leaseFaults(name: string, events: readonly Told<LeaseEvent>[]): string[] {
  const faults: string[] = [];
  let before: Told<LeaseEvent> | undefined;
  for (const event of events) {
    const { type, data } = event;
    const isNext = before === undefined || data.term === before.data.term + 1;
    const isSame =
      before === undefined || (data.term === before.data.term && data.holder === before.data.holder);
    const wasReleased = before?.type === 'LeaseReleased';
    if (type === 'LeaseTaken' ? !isNext : !isSame || wasReleased)
      faults.push(
        `${name} has ${type} of term ${data.term} after ${before?.type} of term ${before?.data.term}`,
      );
    before = event;
  }
  return faults;
}
