/** Marks each new write-ahead log in its second commit; `write-ahead-file.ts` says what the marks are for. */
import { closeSync, openSync, readSync } from 'node:fs';
import type Database from 'libsql';
import type { LogReading } from './write-ahead-file.ts';

export type LogMarks = ReturnType<typeof createLogMarks>;

export function createLogMarks(connection: Database.Database, path: string, before: LogReading | undefined) {
  const file = openSync(path, 'r');
  const number = (pragma: string) =>
    Number((connection.prepare(`PRAGMA ${pragma}`).raw().get() as readonly number[] | undefined)?.[0] ?? 0);
  let generation = number('user_version');
  const salts = Buffer.alloc(8);
  const seen = Buffer.alloc(8);
  readSync(file, seen, 0, 8, 16);
  let isDue = before === undefined || before.isEmpty;
  let isWritten = false;

  return {
    /** Inside a transaction. */
    write() {
      if (!isDue) return;
      connection.exec(`PRAGMA application_id=${generation}; PRAGMA user_version=${generation + 1}`);
      isWritten = true;
    },
    written() {
      const isMarked = isWritten;
      if (isMarked) generation += 1;
      isDue = false;
      isWritten = false;
      if (readSync(file, salts, 0, 8, 16) < 8 || salts.equals(seen)) return;
      // This commit has begun a new log.
      isDue = !isMarked;
      salts.copy(seen);
    },
    undone() {
      isWritten = false;
    },
    close: () => closeSync(file),
  };
}
