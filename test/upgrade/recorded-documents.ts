/** The documents that a recorded log gives, a line each: what every later version must make of the same events. */
import { IN_MEMORY, openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { START } from '../../src/kernel/ports/event-store.ts';
import { projections } from '../../src/projections/index.ts';
import { fillReadModels } from '../../src/proof/replay/fill-read-models.ts';
import { allEntries } from '../../src/proof/replay/read-models-read.ts';
import { logOf, reader } from '../support/comparing.ts';

export interface RecordedCollection {
  readonly collection: string;
  readonly version: number;
  /** Each document's key, position, content and renderings as JSON text, in the order of keys. */
  readonly documents: readonly string[];
}

export async function documentsOf(events: readonly RecordedEvent[]): Promise<readonly RecordedCollection[]> {
  const database = openSqliteDatabase(IN_MEMORY);
  const readModel = createSqliteReadModel(database);
  try {
    await readModel.prepare(projections);
    const until = events.at(-1)?.position ?? START;
    await fillReadModels({ projections, log: logOf(events), reader, readModel, until: () => until });
    const found: RecordedCollection[] = [];
    for (const projection of projections) {
      const documents: string[] = [];
      for await (const entry of allEntries(readModel, projection, await readModel.own(projection)))
        documents.push(JSON.stringify(entry));
      found.push({ collection: projection.name, version: projection.version, documents });
    }
    return found;
  } finally {
    await readModel.close();
    await database.close();
  }
}

export function documentLines(collections: readonly RecordedCollection[]): string {
  return collections
    .flatMap(({ collection, version, documents }) => [JSON.stringify({ collection, version }), ...documents])
    .map((line) => `${line}\n`)
    .join('');
}

export function readDocumentLines(text: string): readonly RecordedCollection[] {
  const found: { collection: string; version: number; documents: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const { collection, version } = JSON.parse(line);
    if (typeof collection === 'string') found.push({ collection, version, documents: [] });
    else found.at(-1)?.documents.push(line);
  }
  return found;
}
