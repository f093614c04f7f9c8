/** Builds all read models from a log, as the service does. */
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { createProjector } from '../../src/kernel/runtime/projector.ts';
import { projections } from '../../src/projections/index.ts';
import { categoryOfType, streams } from '../../src/streams/index.ts';

/** Opens the log in a SQLite file. */
export async function onLog<Result>(
  path: string,
  use: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  try {
    return await use(store);
  } finally {
    await store.close();
    await database.close();
  }
}

export interface Rebuilt {
  /** Events per second. */
  readonly wall: number;
  /** Events per second of this process's processor time. */
  readonly processor: number;
  /** The longest turn of the event loop, in milliseconds. */
  readonly held: number;
}

/** `shared`: other processes may read the read model, as in MongoDB. */
export async function rebuildInto(
  readModel: ReadModel,
  store: EventStore,
  kind?: 'shared',
): Promise<Rebuilt> {
  const events = store.extentOf(await store.head()).amount;
  const projector = createProjector({
    projections,
    reader: strictReader(createEventCodec(streams)),
    store,
    readModel,
    categoryOfType,
    ...(kind === 'shared' && { shared: { changed: () => undefined, replaced } }),
    logger: loggerTo((message, details) => {
      throw new Error(`${message}: ${JSON.stringify(details)}`);
    }),
  });
  const turns = watchTurns();
  const before = process.cpuUsage();
  const start = performance.now();
  await projector.start();
  if (!(await projector.whenBuilt(600_000))) throw new Error('the read models were not built in time');
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const held = turns.stop();
  await projector.stop();
  return { wall: events / seconds, processor: events / ((user + system) / 1e6), held };
}

function replaced(error: Error): never {
  throw error;
}

/** Measures the longest turn of the event loop until it is stopped. */
function watchTurns() {
  let longest = 0;
  let last = performance.now();
  let next = setImmediate(turn);
  function turn() {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  }
  return {
    stop() {
      clearImmediate(next);
      return longest;
    },
  };
}
