/** Checks the end of a log when it is opened, and older events for a bounded time; `levy check` checks everything. */
import { checkEvents } from './check-events.ts';
import type { SqliteDatabase } from './database.ts';
import { StoreDamaged } from './database-errors.ts';

/** Events at the end of the log that are checked before anything else, whatever it takes. */
const LATEST = 1_000;
/** Milliseconds for older events. */
const PATIENCE = 250;

/** Throws `StoreDamaged`. */
export function checkAtStart(database: SqliteDatabase, path: string): void {
  const [head] = database.statement<[number | null]>('SELECT max(position) FROM events').row() ?? [null];
  const end = head ?? 0;
  const latest = Math.max(0, end - LATEST);
  const until = performance.now() + PATIENCE;
  for (const { findings } of checkEvents(database, { from: latest, to: end })) requireNone(findings, path);
  for (const { findings } of checkEvents(database, { from: 0, to: latest })) {
    requireNone(findings, path);
    if (performance.now() >= until) return;
  }
}

function requireNone(
  [first]: readonly { readonly position?: number; readonly reason: string }[],
  path: string,
): void {
  if (first === undefined) return;
  const { position, reason } = first;
  throw new StoreDamaged(
    path,
    position === undefined ? reason : `at position ${position} of the log, ${reason}`,
  );
}
