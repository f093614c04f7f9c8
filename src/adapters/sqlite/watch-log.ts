/**
 * Looks for damage in the log of a running service: its end before the start, within a bounded time, and the rest in the
 * background, in slices too short to be noticed.
 */
import type { Logger } from '../../kernel/ports/logger.ts';
import { type CheckedStretch, checkEvents } from './check-events.ts';
import type { SqliteDatabase } from './database.ts';
import { StoreDamaged } from './database-errors.ts';

/** Events at the end of the log that are checked before anything else, whatever it takes. */
const LATEST = 1_000;
/** Milliseconds. */
const AT_START = 250;
/** Milliseconds of a slice in the background, and between two slices: two percent of a core. */
const SLICE = 10;
const PAUSE = 490;

export interface LogWatch {
  stop(): void;
}

/** Throws `StoreDamaged` when the end of the log is. What is found later is reported to the database. */
export function watchLog(
  database: SqliteDatabase,
  options: {
    readonly path: string;
    readonly logger: Logger;
    /** Milliseconds that the start spends on older events. */
    readonly atStart?: number;
  },
): LogWatch {
  const { path, logger } = options;
  const [head] = database.statement<[number | null]>('SELECT max(position) FROM events').row() ?? [null];
  const end = head ?? 0;
  const latest = Math.max(0, end - LATEST);
  for (const { findings } of checkEvents(database, { from: latest, to: end })) {
    const [first] = findings;
    if (first !== undefined) throw new StoreDamaged(path, described(first));
  }

  const rest = checkEvents(database, { from: 0, to: latest });
  let timer: NodeJS.Timeout | undefined;

  /** Whether all is checked, or damage is known. */
  function slice(milliseconds: number): CheckedStretch | 'over' {
    const until = performance.now() + milliseconds;
    for (;;) {
      const { value, done } = rest.next();
      if (done === true || value === undefined) return 'over';
      if (value.findings.length > 0 || performance.now() >= until) return value;
    }
  }

  function goOn(): void {
    const checked = slice(SLICE);
    if (checked === 'over') {
      logger.info({ events: end }, 'event log checked');
      return;
    }
    const [first] = checked.findings;
    if (first === undefined) later();
    else database.foundDamage(described(first));
  }

  function later(): void {
    timer = setTimeout(() => {
      try {
        goOn();
      } catch {
        // The database has noted what it says of the file.
        database.foundDamage('it cannot be read to its end');
      }
    }, PAUSE).unref();
  }

  const begun = slice(options.atStart ?? AT_START);
  if (begun !== 'over') {
    const [first] = begun.findings;
    if (first !== undefined) throw new StoreDamaged(path, described(first));
    later();
  }
  return { stop: () => clearTimeout(timer) };
}

function described({ position, reason }: { readonly position?: number; readonly reason: string }): string {
  return position === undefined ? reason : `at position ${position} of the log, ${reason}`;
}
