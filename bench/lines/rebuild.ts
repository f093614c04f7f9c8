/** All read models filled anew from a log of whole flows, against the bare reading of that log through the adapter. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { START } from '../../src/ports/event-store.ts';
import { projections } from '../../src/projections/index.ts';
import { createEventCodec } from '../../src/runtime/event-codec.ts';
import { strictReader } from '../../src/runtime/event-reader.ts';
import { createProjector } from '../../src/runtime/projector.ts';
import { categoryOfType, streams } from '../../src/streams/index.ts';
import { compare, inTurns } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { EVENTS_A_FLOW, writeFlows } from '../measuring/many-flows.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const FLOWS = 5_000;
const ROUNDS = 3;

export const rebuild: Line = () =>
  inTemporaryFolder(async (folder) => {
    const log = join(folder, 'log.db');
    await onLog(log, (store) => writeFlows(store, FLOWS));
    const spent: { wall: number[]; processor: number[]; held: number[] } = {
      wall: [],
      processor: [],
      held: [],
    };
    const rates = compare(
      await inTurns(ROUNDS, {
        rebuilt: async () => {
          const copy = join(folder, `copy-${spent.wall.length}.db`);
          await copyFile(log, copy);
          const measured = await rebuilt(copy, join(folder, `documents-${spent.wall.length}.db`));
          spent.wall.push(measured.wall);
          spent.processor.push(measured.processor);
          spent.held.push(measured.held);
          return measured.wall;
        },
        read: () => onLog(log, readToTheEnd),
      }),
    );
    const events = (FLOWS * EVENTS_A_FLOW).toLocaleString('en-US');
    const middle = (values: readonly number[]) =>
      values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
    return [
      {
        what: `${events} events of whole flows into all read models / the same events read to the end`,
        ratio: rates.ratio('rebuilt', 'read'),
        figures:
          `${written(rates.medians.rebuilt)} events/s, ${written(rates.medians.read)} events/s; ` +
          `${written(middle(spent.processor))} events per second of the processor's time; ` +
          `the event loop held for ${written(Math.max(...spent.held))} ms at most`,
      },
    ];
  });

type Store = ReturnType<typeof createSqliteEventStore>;

async function onLog<Result>(path: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const database = openSqliteDatabase(path);
  const store = createSqliteEventStore(database);
  try {
    return await use(store);
  } finally {
    await store.close();
    await database.close();
  }
}

async function readToTheEnd(store: Store): Promise<number> {
  const categories = [...new Set(categoryOfType.values())];
  const start = performance.now();
  let events = 0;
  const ended = new AbortController();
  for await (const message of store.subscribe({ after: START, categories, signal: ended.signal })) {
    if (message.kind === 'caught-up') break;
    if (message.kind === 'event') events += 1;
  }
  return (events / (performance.now() - start)) * 1_000;
}

/** Events per second, by the clock and by the processor's time; the longest turn of the event loop in milliseconds. */
async function rebuilt(
  log: string,
  documents: string,
): Promise<{ readonly wall: number; readonly processor: number; readonly held: number }> {
  const database = openSqliteDatabase(documents);
  const readModel = createSqliteReadModel(database);
  try {
    return await onLog(log, async (store) => {
      const events = store.extentOf(await store.head()).amount;
      const projector = createProjector({
        projections,
        reader: strictReader(createEventCodec(streams)),
        store,
        readModel,
        categoryOfType,
        report: (message, details) => {
          throw new Error(`${message}: ${JSON.stringify(details)}`);
        },
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
    });
  } finally {
    await readModel.close();
    await database.close();
  }
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
