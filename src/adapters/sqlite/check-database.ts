/** Checks a whole database that no process has open: its pages, and its log. Has no time limit, and repairs nothing. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { checkEvents } from './check-events.ts';
import { hasTable, openSqliteDatabase, type SqliteDatabase } from './database.ts';
import { StoreDamaged } from './database-errors.ts';
import { positionOffset } from './event-rows.ts';

interface DatabaseFinding {
  readonly part: 'file' | 'log';
  readonly position?: number;
  readonly reason: string;
}

interface CheckProgress {
  readonly part: DatabaseFinding['part'];
  readonly done: number;
  readonly of: number;
}

interface CheckReport {
  readonly events: number;
  readonly findings: readonly DatabaseFinding[];
}

/** Maximum number of findings in a report. */
const MAX_FINDINGS = 1_000;

/** Changes nothing. Rejects with `StoreInUse` while a service has the file open, and with the signal's reason when aborted. */
export async function checkDatabase(
  path: string,
  options: {
    readonly progress?: (progress: CheckProgress) => void;
    readonly signal?: AbortSignal;
    /** See `SqliteDatabaseOptions`. */
    readonly hasFormat?: boolean;
  } = {},
): Promise<CheckReport> {
  const { progress = () => undefined, signal, hasFormat = true } = options;
  const findings: DatabaseFinding[] = [];
  const add = (found: readonly DatabaseFinding[]) =>
    findings.push(...found.slice(0, Math.max(0, MAX_FINDINGS - findings.length)));
  let database: SqliteDatabase;
  try {
    database = openSqliteDatabase(path, { isReadOnly: true, hasFormat });
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    return { events: 0, findings: [{ part: 'file', reason: error.reason }] };
  }
  try {
    // Blocks the event loop: SQLite checks all pages in one statement.
    progress({ part: 'file', done: 0, of: 1 });
    add(pagesOf(database));
    progress({ part: 'file', done: 1, of: 1 });
    // Rows on unreadable pages are unreadable, too.
    if (findings.length > 0) return { events: 0, findings };
    const head = headOf(database);
    // Files of read models or of other programs have no log.
    const log = head === 0 ? [] : checkEvents(database, { from: 0, to: head, contents: true });
    for (const { position, findings: found } of log) {
      signal?.throwIfAborted();
      add(found.map((finding) => ({ part: 'log' as const, ...finding })));
      progress({ part: 'log', done: position, of: head });
      await nextTurn();
    }
    add(holesOf(database, head));
    return { events: countOf(database), findings };
  } catch (error) {
    if (signal?.aborted || error instanceof OperatorError) throw error;
    add([{ part: 'file', reason: errorMessage(error) }]);
    return { events: 0, findings };
  } finally {
    await database.close();
  }
}

function pagesOf(database: SqliteDatabase): readonly DatabaseFinding[] {
  return database
    .statement<[string]>('PRAGMA integrity_check(100)')
    .rows()
    .flat()
    .filter((line) => line !== 'ok')
    .map((reason) => ({ part: 'file', reason }));
}

function headOf(database: SqliteDatabase): number {
  if (!hasTable(database, 'events')) return 0;
  return database.statement<[number | null]>('SELECT max(position) FROM events').row()?.[0] ?? 0;
}

function countOf(database: SqliteDatabase): number {
  if (!hasTable(database, 'events')) return 0;
  return database.statement<[number]>('SELECT count(*) FROM events').row()?.[0] ?? 0;
}

/** The number of empty positions must equal the number of events dropped from bounded streams. */
function holesOf(database: SqliteDatabase, head: number): readonly DatabaseFinding[] {
  if (head === 0) return [];
  const dropped =
    database
      .statement<[number]>(
        `SELECT coalesce(sum(1 + last - held), 0) FROM (
           SELECT max(e.revision) AS last, count(*) AS held FROM kept_counts k JOIN events e ON e.stream = k.stream GROUP BY k.stream
         )`,
      )
      .row()?.[0] ?? 0;
  const missing = head - positionOffset(database) - countOf(database) - dropped;
  return missing === 0 ? [] : [{ part: 'log', reason: `${missing} events are missing in total` }];
}
