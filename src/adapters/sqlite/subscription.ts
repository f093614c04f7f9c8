/** Subscription to the event log: reads the table page by page up to the end, then each new append. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { SubscribeOptions, SubscriptionMessage } from '../../kernel/ports/event-store.ts';
import type { SqliteDatabase } from './database.ts';
import { EVENT_COLUMNS, type EventRow, positionNumber, positionText, recordedEvent } from './event-rows.ts';

/** Positions examined per event-loop turn, matching or not. */
const WINDOW = 256;

export type LogEnd = ReturnType<typeof createLogEnd>;

/** End of the log, where subscriptions wait. `beginsAfter` is the position before the first event. */
export function createLogEnd(start: number, beginsAfter: number) {
  let position = start;
  let ended = false;
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  return {
    beginsAfter,
    get position() {
      return position;
    },
    get ended() {
      return ended;
    },
    waiting,
    moveTo(reached: number): void {
      if (reached <= position) return;
      position = reached;
      wakeAll();
    },
    end(): void {
      ended = true;
      wakeAll();
    },
  };
}

/** Pauses and ends one subscription. */
interface Turnstile {
  over(): boolean;
  /** Resolves when `wake` is called. */
  wait(): Promise<void>;
  wake(): void;
}

/** Implements the port's `subscribe`. Allocates nothing until the first `next`. */
export function subscribeToEvents(
  database: SqliteDatabase,
  logEnd: LogEnd,
  options: SubscribeOptions,
): AsyncIterable<SubscriptionMessage> {
  return {
    [Symbol.asyncIterator]() {
      let left = false;
      let resume = () => {};
      const turnstile: Turnstile = {
        over: () => left || logEnd.ended || options.signal.aborted,
        wait: () =>
          new Promise((resolve) => {
            resume = resolve;
          }),
        wake: () => resume(),
      };
      const messages = follow(database, logEnd, options, turnstile);
      return {
        next: () => messages.next(),
        // A generator can end only between two messages, so wake it first if it waits for the next.
        return: () => {
          left = true;
          turnstile.wake();
          return messages.return();
        },
      };
    },
  };
}

async function* follow(
  database: SqliteDatabase,
  logEnd: LogEnd,
  { after, categories, signal }: SubscribeOptions,
  { over, wait, wake }: Turnstile,
): AsyncGenerator<SubscriptionMessage, void> {
  if (logEnd.ended) throw new StoreUnavailable('the event store is closed');
  const window = database.statement<EventRow>(windowQuery(categories?.length));
  // The first position of a copied log can be far above 0.
  let cursor = Math.max(positionNumber(after), Math.min(logEnd.beginsAfter, logEnd.position));
  let announced = false;
  logEnd.waiting.add(wake);
  signal.addEventListener('abort', wake);
  try {
    while (!over()) {
      if (cursor < logEnd.position) {
        const end = Math.min(cursor + WINDOW, logEnd.position);
        for (const row of database.read(() => window.rows(cursor, end, ...(categories ?? [])))) {
          yield { kind: 'event', event: recordedEvent(row) };
          if (over()) return;
        }
        cursor = end;
        announced = false;
        if (cursor < logEnd.position) await nextTurn();
      } else if (!announced) {
        announced = true;
        yield { kind: 'caught-up', position: positionText(cursor) };
      } else {
        await wait();
      }
    }
  } finally {
    logEnd.waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }
}

export function windowQuery(categories: number | undefined): string {
  const filter =
    categories === undefined ? '' : `AND category IN (${Array(categories).fill('?').join(', ')})`;
  return `SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? AND position <= ? ${filter} ORDER BY position`;
}
