/** Checks the log for internal consistency in one pass from beginning to end. Visitors run other checks on every event. */

import { type Position, type RecordedEvent, START } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import type { FoldableStream } from '../../../kernel/runtime/define-stream.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import { type EventCodec, EventUndecodable, type Recorded } from '../../../kernel/runtime/event-codec.ts';
import { QUARANTINE_STREAM, type QuarantinedEvent } from '../../../kernel/runtime/quarantine.ts';
import { isExcluded } from '../../transparency/excluded-streams.ts';
import type { Progress } from '../audited-system.ts';
import { CHECKS } from '../checks.ts';
import { placeOf, recordedAt } from '../finding.ts';
import type { CheckNotes, Notebook } from '../report.ts';
import { type EventIds, openEventIds } from './event-ids.ts';
import { ruleBrokenBy } from './stream-rules.ts';
import { createStreamStates, type StreamStates } from './stream-states.ts';

/** Decoded event, with the states of its stream before and after it. */
export interface AuditedEvent {
  readonly event: Recorded;
  readonly before: unknown;
  readonly after: unknown;
  readonly states: StreamStates;
}

export type Visitor = (met: AuditedEvent) => void | Promise<void>;

export interface ReadLog {
  readonly events: number;
  /** Position of the last event that was read. */
  readonly until: Position;
}

/** Actor of events that a refused call records about other drafts. The causing call has no events of its own in the log. */
const FOR_REFUSED_CALLS = 'service:drafts';
const EVENTS_PER_PROGRESS = 1_000;

export interface LogAudit {
  readonly log: LogReader;
  readonly codec: EventCodec;
  readonly streams: readonly FoldableStream[];
  /** Exclusive position; earlier events were audited before. */
  readonly after: Position;
  readonly visitors: readonly Visitor[];
  readonly notebook: Notebook;
  readonly progress: Progress;
}

export async function auditLog(audit: LogAudit): Promise<ReadLog> {
  const checks = checksOf(audit.notebook);
  const ids = openEventIds();
  try {
    const read = await readThrough(audit, checks, ids);
    await judgeIds(audit, checks, ids, read);
    return read;
  } finally {
    await ids.close();
  }
}

type LogChecks = ReturnType<typeof checksOf>;

function checksOf(notebook: Notebook) {
  return {
    revisions: notebook.check(CHECKS.revisions),
    ids: notebook.check(CHECKS.ids),
    schema: notebook.check(CHECKS.schema),
    fold: notebook.check(CHECKS.fold),
    order: notebook.check(CHECKS.order),
    causes: notebook.check(CHECKS.causes),
  };
}

async function readThrough(audit: LogAudit, checks: LogChecks, ids: EventIds): Promise<ReadLog> {
  const { log, codec, streams, after, visitors, progress } = audit;
  const states = createStreamStates({ log, codec, streams });
  const quarantined = await quarantinedEvents(log, codec);
  const whole = log.extentOf(await log.head()).amount;
  let [events, until] = [0, after];
  for await (const stored of log.events({ after })) {
    events += 1;
    if (events % EVENTS_PER_PROGRESS === 0) progress('log', log.extentOf(stored.position).amount, whole);
    const place = placeOf(stored);
    if (stored.position <= until)
      checks.revisions.add({
        what: 'positions grow',
        expected: `a position after ${until}`,
        found: stored.position,
        event: place,
      });
    until = stored.position;
    const before = await states.before(stored);
    auditRevision(checks.revisions, stored, before.revision);
    checks.schema.checked();
    const event = decoded(stored, codec, quarantined, checks.schema);
    if (event === undefined) {
      states.pass(before, stored);
      await ids.add({ eventId: stored.id, commandId: stored.id, cause: undefined });
      continue;
    }
    checks.causes.checked();
    const { commandId } = event.metadata;
    await ids.add({ eventId: event.eventId, commandId, cause: outerCauseOf(stored) });
    checks.order.checked();
    const broken = ruleBrokenBy(before.state, event);
    if (broken !== undefined) checks.order.add({ ...broken, ...recordedAt(event) });
    checks.fold.checked();
    let now = before;
    try {
      now = states.apply(before, event);
    } catch (error) {
      states.pass(before, stored);
      checks.fold.add({
        what: 'a stream can be folded',
        expected: 'a state',
        found: errorMessage(error),
        ...recordedAt(event),
      });
    }
    for (const visit of visitors) await visit({ event, before: before.state, after: now.state, states });
  }
  checks.ids.checked(events);
  return { events, until };
}

function auditRevision(notes: CheckNotes, stored: RecordedEvent, last: number): void {
  const { stream, revision } = stored;
  notes.checked();
  // Older events of these streams may have been deleted.
  if (isExcluded(stream) ? revision > last : revision === last + 1) return;
  notes.add({
    what: "a stream's events are numbered without a gap",
    expected: `revision ${last + 1}`,
    found: `revision ${revision}`,
    event: placeOf(stored),
  });
}

/** Undefined for an event that cannot be decoded; a finding unless an operator has quarantined the event. */
function decoded(
  stored: RecordedEvent,
  codec: EventCodec,
  quarantined: ReadonlySet<string>,
  notes: CheckNotes,
): Recorded | undefined {
  try {
    return codec.decode(stored);
  } catch (error) {
    if (!(error instanceof EventUndecodable)) throw error;
    const event = placeOf(stored);
    const { problem, isNewer } = error.event;
    if (isNewer) notes.unchecked('every event can be decoded', problem, { event });
    else if (quarantined.has(keyOf(stored)))
      notes.unchecked('every event can be decoded', `an operator has quarantined it: ${problem}`, {
        event,
      });
    else
      notes.add({
        what: 'every event can be decoded',
        expected: `a valid ${stored.type}`,
        found: problem,
        event,
      });
    return undefined;
  }
}

async function quarantinedEvents(log: LogReader, codec: EventCodec): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const stored of log.stream(QUARANTINE_STREAM)) {
    try {
      const { eventId: id, stream, revision } = codec.decode(stored).data as QuarantinedEvent;
      found.add(keyOf({ id, stream, revision }));
    } catch (error) {
      // Already reported when the log was read.
      if (!(error instanceof EventUndecodable)) throw error;
    }
  }
  return found;
}

function keyOf({ id, stream, revision }: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>): string {
  return `${id} ${revision} ${stream}`;
}

/** Reads the log again only if there are ids to report. */
async function judgeIds(
  { log, after }: LogAudit,
  checks: LogChecks,
  ids: EventIds,
  { until }: ReadLog,
): Promise<void> {
  const judged = await ids.judge();
  const isBounded = after !== START;
  if (judged.doubled === 0 && judged.missing === 0) return;
  const first = new Map<string, string>();
  for await (const stored of log.events({ after })) {
    if (stored.position > until) break;
    if (judged.isDoubled(stored.id)) {
      const earlier = first.get(stored.id);
      const where = `revision ${stored.revision} of ${stored.stream}`;
      if (earlier === undefined) first.set(stored.id, where);
      else
        checks.ids.add({
          what: 'each event has its own id',
          expected: `only ${earlier}`,
          found: where,
          event: placeOf(stored),
        });
    }
    auditCause(stored, { judged, notes: checks.causes, isBounded });
  }
}

/** External cause of the event; undefined if the event's own call caused it. */
function outerCauseOf({ data, metadata }: RecordedEvent): string | undefined {
  const { causationId, commandId, correlationId, actor } = metadata;
  if (typeof causationId !== 'string' || actor === FOR_REFUSED_CALLS) return undefined;
  return [commandId, correlationId, data.transactionId].includes(causationId) ? undefined : causationId;
}

function auditCause(
  stored: RecordedEvent,
  {
    judged,
    notes,
    isBounded,
  }: {
    readonly judged: Awaited<ReturnType<EventIds['judge']>>;
    readonly notes: CheckNotes;
    readonly isBounded: boolean;
  },
): void {
  const cause = outerCauseOf(stored);
  if (cause === undefined || !judged.isMissing(cause)) return;
  const event = placeOf(stored);
  if (isBounded)
    notes.unchecked(
      'the cause of an event is in the log',
      'the cause may be before the audited part of the log',
      {
        event,
      },
    );
  else
    notes.add({
      what: 'the cause of an event is in the log',
      expected: `an event ${cause}, or one that a command of this id has recorded`,
      found: 'none',
      event,
    });
}
