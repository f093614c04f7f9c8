/** Read access to the read models that are compared with the log, through the builds that serve queries. */
import { type Position, START } from '../../kernel/ports/event-store.ts';
import type { EntriesOptions, Generation, ReadModel, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';

/** Build of one projection that serves queries. */
export interface ServedDocuments {
  readonly generation: Generation;
  /** All events up to this position are included; some documents may include later ones. */
  readonly checkpoint: Position;
}

/** Source of documents. They may change between two calls if the service is running. */
export interface ServedReadModels {
  /** Undefined while no build of the projection serves queries. */
  served(projection: Projection): Promise<ServedDocuments | undefined>;
  /** See `ReadModel.entries`. */
  entries(projection: Projection, options: EntriesOptions): Promise<readonly StoredEntry[]>;
  /** Absent if the source does not support lookups. */
  readonly lookUps?: LookUps;
}

export type LookUps = Pick<ReadModel, 'page' | 'find' | 'count'>;

/** The projections must be prepared in the read model. */
export function readModelsIn(readModel: Pick<ReadModel, 'served' | 'entries'> & LookUps): ServedReadModels {
  return {
    async served(projection) {
      const served = await readModel.served(projection);
      return served && { generation: served, checkpoint: served.checkpoint ?? START };
    },
    entries: (projection, options) => readModel.entries(projection, options),
    lookUps: readModel,
  };
}

/** Documents per read. */
const ENTRIES_AT_A_TIME = 512;

export async function* allEntries(
  readModels: Pick<ServedReadModels, 'entries'>,
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
