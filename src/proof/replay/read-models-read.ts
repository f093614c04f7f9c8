/** The read models that are compared with the log: what queries read, document by document. */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { EntriesOptions, Generation, ReadModel, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';

/** Documents of one projection as queries read them. */
export interface ServedDocuments {
  readonly generation: Generation;
  /** Everything up to here is in the documents; later events may be in some of them. */
  readonly checkpoint: Position;
}

/** Documents may change between two calls, as those of a running service do. */
export interface ReadModelsRead {
  /** Undefined while queries can read nothing of it. */
  served(projection: Projection): Promise<ServedDocuments | undefined>;
  /** See `ReadModel.entries`. */
  entries(projection: Projection, options: EntriesOptions): Promise<readonly StoredEntry[]>;
  /** Lookups as queries make them; absent if the source cannot answer lookups. */
  readonly lookUps?: LookUps;
}

export type LookUps = Pick<ReadModel, 'page' | 'find' | 'count'>;

/** The projections are prepared in it. */
export function readModelsIn(readModel: Pick<ReadModel, 'served' | 'entries'> & LookUps): ReadModelsRead {
  return {
    async served(projection) {
      const served = await readModel.served(projection);
      return served && { generation: served, checkpoint: served.checkpoint ?? START };
    },
    entries: (projection, options) => readModel.entries(projection, options),
    lookUps: readModel,
  };
}

/** Documents asked for at a time. */
const ENTRIES_AT_A_TIME = 512;

export async function* allEntries(
  readModels: Pick<ReadModelsRead, 'entries'>,
  projection: Projection,
  generation: Generation,
): AsyncGenerator<StoredEntry, void> {
  let after: string | undefined;
  for (;;) {
    const some = await readModels.entries(projection, { generation, after, limit: ENTRIES_AT_A_TIME });
    if (some.length === 0) return;
    yield* some;
    after = some.at(-1)?.key;
  }
}
