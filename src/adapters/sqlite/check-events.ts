/**
 * Checks a range of the log row by row: the content is readable, each event follows the previous one of its stream, and the
 * index finds the event. Reads only, in small steps.
 */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import type { SqliteDatabase } from './database.ts';
import { StoreDamaged } from './database-errors.ts';
import { positionOffset } from './event-rows.ts';

/** Rows per step, which takes a few milliseconds at most. */
const STEP = 100;

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface LogFinding {
  /** Position in the log, if the finding has one. */
  readonly position?: number;
  readonly reason: string;
}

type Row = readonly [number, string, string, number, string, string, string];

/** Checks the positions after `from`, up to `to`. Yields the reached position and the findings after each step. */
export function* checkEvents(
  database: SqliteDatabase,
  {
    from,
    to,
    contents = false,
  }: {
    readonly from: number;
    readonly to: number;
    /** True if undecodable content is a finding; a running service reports it as an event to quarantine instead. */
    readonly contents?: boolean;
  },
): Generator<{ readonly position: number; readonly findings: readonly LogFinding[] }, void> {
  const rows = database.statement<Row>(
    `SELECT position, stream, category, revision, id, data, metadata FROM events
     WHERE position > ? AND position <= ? ORDER BY position`,
  );
  const inStream = database.statement<[number, number]>(
    'SELECT revision, position FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision',
  );
  const shortened = new Set(database.statement<[string]>('SELECT stream FROM kept_counts').rows().flat());

  function findingsAt([position, stream, category, revision, id, data, metadata]: Row): LogFinding[] {
    const at = (reason: string): LogFinding => ({ position, reason });
    const findings: LogFinding[] = [];
    if (contents && (!isJson(data) || !isJson(metadata))) findings.push(at('the event content is not JSON'));
    if (!EVENT_ID.test(id)) findings.push(at('the event id is not a UUID'));
    if (categoryOf(stream) !== category) findings.push(at('the event category does not match its stream'));
    const found = new Map(inStream.rows(stream, revision - 1, revision));
    if (found.get(revision) !== position) findings.push(at('the stream index points to another event'));
    const before = found.get(revision - 1);
    if (before === undefined ? revision > 0 && !shortened.has(stream) : before > position)
      findings.push(at('the previous event of the stream is missing'));
    return findings;
  }

  for (let start = Math.max(from, positionOffset(database)); start < to; start += STEP) {
    const end = Math.min(start + STEP, to);
    const page = database.read(() => rows.rows(start, end));
    const findings = page.flatMap(findingsAt);
    // Only bounded streams, whose oldest events are dropped, may leave holes.
    if (shortened.size === 0 && page.length < end - start) {
      findings.push({
        position: end,
        reason: `${end - start - page.length} events up to this position are missing`,
      });
    }
    yield { position: end, findings };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Events at the end of the log that are always checked first. */
const LATEST = 1_000;
/** Milliseconds spent on older events. */
const TIMEOUT = 250;

/** Checks the end of a log when it is opened, and older events for a bounded time. Throws `StoreDamaged`. */
export function checkAtStart(database: SqliteDatabase, path: string): void {
  const [head] = database.statement<[number | null]>('SELECT max(position) FROM events').row() ?? [null];
  const end = head ?? 0;
  const latest = Math.max(0, end - LATEST);
  const until = performance.now() + TIMEOUT;
  for (const { findings } of checkEvents(database, { from: latest, to: end })) requireNone(findings, path);
  for (const { findings } of checkEvents(database, { from: 0, to: latest })) {
    requireNone(findings, path);
    if (performance.now() >= until) return;
  }
}

function requireNone([first]: readonly LogFinding[], path: string): void {
  if (first === undefined) return;
  const { position, reason } = first;
  throw new StoreDamaged(
    path,
    position === undefined ? reason : `at position ${position} of the log, ${reason}`,
  );
}
