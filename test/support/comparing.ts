/** A log in memory, its read model, and the comparison of both, for one test. */
import { onTestFinished } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { type RecordedEvent, START } from '../../src/kernel/ports/event-store.ts';
import type { LogReader } from '../../src/kernel/ports/log-reader.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { projections } from '../../src/projections/index.ts';
import { type Comparison, compareReadModels } from '../../src/proof/replay/compare-read-models.ts';
import type { ReadModelDifference } from '../../src/proof/replay/document-difference.ts';
import { streams } from '../../src/streams/index.ts';

export const reader = strictReader(createEventCodec(streams));

/** These events are the log. More may be added to them later. */
export function logOf(events: readonly RecordedEvent[]): LogReader {
  const head = async () => events.at(-1)?.position ?? START;
  return {
    async *events({ after = START, categories } = {}) {
      const end = await head();
      for (const event of events) {
        const isWanted = categories?.some((each) => event.stream.startsWith(`${each}-`)) ?? true;
        if (event.position > after && event.position <= end && isWanted) yield event;
      }
    },
    async *stream(name, from = 0) {
      for (const event of events) if (event.stream === name && event.revision >= from) yield event;
    },
    head,
    extentOf: (position) => ({ unit: 'events', amount: Number(position) }),
    close: async () => undefined,
  };
}

export function emptyReadModel(): { readonly readModel: ReadModel; readonly database: SqliteDatabase } {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  return { readModel: createSqliteReadModel(database), database };
}

export async function compared(
  log: LogReader,
  readModel: ReadModel,
): Promise<Comparison & { readonly found: readonly ReadModelDifference[] }> {
  const found: ReadModelDifference[] = [];
  const comparison = await compareReadModels({
    projections,
    log,
    reader,
    readModel,
    scratch: emptyReadModel().readModel,
    found: (difference) => void found.push(difference),
  });
  return { ...comparison, found };
}
