/** Read models that several "processes" of one test share: one SQLite read model, with terms and the status before it. */
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { JsonObject } from '../../src/kernel/ports/event-store.ts';
import type { BuildState, Collection } from '../../src/kernel/ports/read-model.ts';
import { type SharedReadModel, WriterReplaced } from '../../src/kernel/ports/shared-read-model.ts';
import { withMethods, wrapCalls } from '../../src/kernel/runtime/wrap-calls.ts';
import { memoryDisk } from './memory-disk.ts';

export interface SharedReadModels {
  /** Documents as another process reads them. */
  open(): Promise<SharedReadModel>;
  /** While true, the server answers nobody. */
  isAway: boolean;
  /** Number of calls while it was away. */
  readonly refused: number;
}

/** Any read models, before a server that can be taken away from all processes at once. */
export function takenAway(openOne: () => Promise<SharedReadModel>): SharedReadModels {
  let refused = 0;
  const models: SharedReadModels = {
    isAway: false,
    get refused() {
      return refused;
    },
    open: async () =>
      wrapCalls(await openOne(), async (_method, call) => {
        if (!models.isAway) return call();
        refused += 1;
        throw new StoreUnavailable('the read model does not respond');
      }),
  };
  return models;
}

const WRITES = new Set(['commit', 'renew', 'goLive', 'writeStatus']);

/** The stand-in, for machines without a server. */
export function openSharedReadModels(): SharedReadModels {
  const stored = createSqliteReadModel(memoryDisk()('documents.db'));
  let term = 0;
  let status: JsonObject | undefined;
  return takenAway(async () => {
    let own: number | undefined;
    const shared: SharedReadModel = Object.assign(withMethods(stored, { close: async () => undefined }), {
      async startTerm(number: number) {
        if (number < term) throw new WriterReplaced(`term ${term} has begun`);
        term = number;
        own = number;
      },
      async writeStatus(written: JsonObject) {
        status = structuredClone(written);
      },
      async progress(collections: readonly Collection[]) {
        const served = new Map<string, BuildState>();
        for (const collection of collections) {
          // Rejects until a process has prepared it.
          const found = await stored.served(collection).catch(() => undefined);
          if (found !== undefined) served.set(collection.name, found);
        }
        return { status, served };
      },
    });
    return wrapCalls(shared, async (method, call) => {
      if (WRITES.has(method) && own !== term) throw new WriterReplaced(`term ${term} has begun`);
      return call();
    });
  });
}
