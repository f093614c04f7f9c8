// A projector over real stores, as the service puts them together: a file for the events and one for the documents.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import type { Projection, ReadFiles } from '../../src/kernel/runtime/define-projection.ts';
import type { AnyStream } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { createEventReader, type EventReader } from '../../src/kernel/runtime/event-reader.ts';
import { createProjector, type Projector } from '../../src/kernel/runtime/projector.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { streams } from '../../src/streams/index.ts';
import { counter } from './counter.ts';
import { type Disk, memoryDisk } from './memory-disk.ts';

export interface Projecting {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly projector: Projector;
  readonly reader: EventReader;
  /** Reports of the projector. */
  readonly reports: readonly string[];
  /** Everything that the read model has stored, but for how far it got and of which log it is. */
  dump(): string;
  /** The process ends as it should. */
  stop(): Promise<void>;
  /** The process ends without a word: only what was committed is left. */
  crash(): Promise<void>;
}

export interface ProjectingOptions {
  /** Appends resolve when the read model shows them, as commands do. */
  readonly isAwaited?: true;
  /** Location that survives a restart: a folder, or a disk in memory; a new disk unless given. */
  readonly on?: string | Disk;
  readonly projections: readonly Projection[];
  readonly streams?: readonly AnyStream[];
  /** Names in the events, for projections that are loaded from files. */
  readonly filesOf?: ReadFiles;
  /** Replaces the read model for the projector. */
  readonly faulty?: (readModel: ReadModel) => ReadModel;
  /** Replaces the log for the projector. */
  readonly faultyLog?: (store: EventStore) => EventStore;
}

export function openProjecting(options: ProjectingOptions): Projecting {
  const { on = memoryDisk(), projections, faulty = (readModel) => readModel } = options;
  const disk = typeof on === 'string' ? (name: string) => openSqliteDatabase(join(on, name)) : on;
  const known = options.streams ?? [...streams, counter];
  const events = disk('events.db');
  const documents = disk('documents.db');
  const readModel = createSqliteReadModel(documents);
  const reports: string[] = [];
  const store = createSqliteEventStore(events);
  const seenByProjector = faulty(readModel);
  const reader = createEventReader({
    store,
    codec: createEventCodec(known),
    logger: loggerTo((message, details) => reports.push(`${message}: ${JSON.stringify(details)}`)),
  });
  const projector: Projector = createProjector({
    projections,
    reader,
    store: options.faultyLog?.(store) ?? store,
    readModel: seenByProjector,
    ...(options.filesOf && { filesOf: options.filesOf }),
    categoryOfType: new Map(
      known.flatMap(({ category, events: types }) =>
        Object.keys(types).map((type) => [type, category] as const),
      ),
    ),
    logger: loggerTo((message, details) => reports.push(`${message}: ${JSON.stringify(details)}`)),
  });

  let open = true;
  async function close(): Promise<void> {
    open = false;
    await store.close();
    await readModel.close();
    await documents.close();
    await events.close();
  }
  async function stop(): Promise<void> {
    if (!open) return;
    await projector.stop();
    await close();
  }
  onTestFinished(stop);
  const awaited = withMethods(store, {
    async append(...call) {
      const result = await store.append(...call);
      if (result.outcome === 'appended') await projector.untilProjected(result.position, PATIENCE);
      return result;
    },
  });
  return {
    store: options.isAwaited ? awaited : store,
    readModel,
    projector,
    reader,
    reports,
    dump: () => dumpOf(documents),
    stop,
    async crash() {
      await close();
      // What is left of the process only finds that everything is closed.
      await projector.stop().catch(() => undefined);
    },
  };
}

/** Milliseconds. */
const PATIENCE = 30_000;

export async function untilAllLive({ projector }: Projecting): Promise<void> {
  await until(() => projector.status().every(({ state }) => state === 'live'));
}

/** Turns of the event loop in which what is under way is usually done. */
const BUSY_TURNS = 200;

/**
 * Looks again on every turn of the event loop, and each millisecond where a timer has to pass first. A condition that
 * never comes ends with the test's time.
 */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn += 1) {
    await new Promise((resolve) => (turn < BUSY_TURNS ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
}

function dumpOf(database: SqliteDatabase): string {
  const tables = database
    .statement<[string]>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('events', 'builds') AND name NOT LIKE 'source_log%' ORDER BY name`,
    )
    .rows()
    .flat();
  const lines = tables.flatMap((table) =>
    database
      .statement(`SELECT * FROM "${table}"`)
      .rows()
      .map((row) => `${table} ${JSON.stringify(row)}`),
  );
  return lines.join('\n');
}

/** An empty read model whose projections are all live. */
export async function liveReadModel(projections: readonly Projection[]): Promise<ReadModel> {
  const projecting = openProjecting({ isAwaited: true, projections });
  await projecting.projector.start();
  await untilAllLive(projecting);
  return projecting.readModel;
}
