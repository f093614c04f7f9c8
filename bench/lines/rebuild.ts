/** Building all read models from a log of whole flows, compared with only reading that log through the adapter. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { type EventStore, START } from '../../src/kernel/ports/event-store.ts';
import { categoryOfType } from '../../src/streams/index.ts';
import { compare, inTurns } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { EVENTS_A_FLOW, writeFlows } from '../measuring/many-flows.ts';
import { onLog, type Rebuilt, rebuildInto } from '../measuring/rebuilding.ts';
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

async function readToTheEnd(store: EventStore): Promise<number> {
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

/** A new database beside the log. */
async function rebuilt(log: string, documents: string): Promise<Rebuilt> {
  const database = openSqliteDatabase(documents);
  const readModel = createSqliteReadModel(database);
  try {
    return await onLog(log, (store) => rebuildInto(readModel, store));
  } finally {
    await readModel.close();
    await database.close();
  }
}
