/**
 * Writes a log that another store recorded into a file of its own. Positions of SQLite are kept, so that whoever follows
 * the log goes on; those of another store are replaced by higher ones.
 */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { CopiedPositions, WritableLog } from '../../kernel/ports/log-writer.ts';
import type { SqliteDatabase } from './database.ts';
import { positionNumber } from './event-rows.ts';
import { beginPositionsAfter, positionsBeginAfter } from './numbering.ts';
import { markUnfinished } from './unfinished-copy.ts';

/** Above the source's end, so that the source may grow while its log is copied in several runs. */
const ROOM = 2;

/** The tables of the log must be there. Throws `OperatorError` where they hold what cannot become such a copy. */
export function createLogWriter(
  database: SqliteDatabase,
  { areKept, sourceHead, sourceBeginsAfter = 0 }: CopiedPositions,
): WritableLog['writer'] {
  const insert = database.statement(
    'INSERT INTO events (position, stream, category, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const lastOfAll = database.statement<[number | null]>('SELECT max(position) FROM events');
  const last = database.read(() => lastOfAll.row()?.[0] ?? undefined);
  const begun = database.read(() => positionsBeginAfter(database));
  const firstOf = () => (areKept ? sourceBeginsAfter : sourceHead * ROOM);
  const beginsAfter = last === undefined ? firstOf() : begun;
  if (last !== undefined && (areKept || begun === 0)) {
    throw new OperatorError(
      'the target holds a log that a service began, or a restored one: move the file away, and name one that does not exist',
    );
  }
  if (!areKept && sourceHead > beginsAfter) {
    throw new OperatorError(
      'the source has grown to more than twice its size since its copy was begun, so that positions would come twice: copy it into a new file',
    );
  }
  let next = (last ?? beginsAfter) + 1;
  let isNumbered = last !== undefined;

  return {
    async add(events) {
      await database.write(() => {
        markUnfinished(database, true);
        if (!isNumbered && beginsAfter > 0) beginPositionsAfter(database, beginsAfter);
        isNumbered = true;
        for (const event of events) {
          const position = areKept ? positionNumber(event.position) : next;
          const { data, metadata } = storedText(event);
          const category = categoryOf(event.stream);
          insert.run(position, event.stream, category, event.revision, event.id, event.type, data, metadata);
          next = position + 1;
        }
      });
    },
    async settle() {},
    async finish() {
      await database.write(() => {
        keepCounts(database);
        markUnfinished(database, false);
      });
    },
  };
}

/** An event that is not JSON stays as it is. */
function storedText({ id, data, metadata, unreadable, raw }: RecordedEvent) {
  if (unreadable === undefined) return { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  if (raw === undefined)
    throw new OperatorError(
      `the event ${id} cannot be read (${unreadable}), and its source does not give its bytes`,
    );
  const textOf = (base64: string) => Buffer.from(base64, 'base64').toString();
  return { data: textOf(raw.data), metadata: textOf(raw.metadata) };
}

/** Streams that begin later than at 0 keep only their last events, here as in the source. */
function keepCounts(database: SqliteDatabase): void {
  database.execute(
    'INSERT OR IGNORE INTO kept_counts SELECT stream, count(*) FROM events GROUP BY stream HAVING min(revision) > 0',
  );
}
