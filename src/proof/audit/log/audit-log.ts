/** Checks the log for internal consistency in one pass from beginning to end. Visitors run other checks on every event. */

import type { Position, RecordedEvent } from '../../../kernel/ports/event-store.ts';
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
  const { log, codec, streams, after, visitors, notebook, progress } = audit;
  const checks = {
    revisions: notebook.check(CHECKS.revisions),
    schema: notebook.check(CHECKS.schema),
    fold: notebook.check(CHECKS.fold),
    order: notebook.check(CHECKS.order),
  };
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
      continue;
    }
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
