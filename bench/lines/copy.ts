/** A log of whole flows copied to another store and compared there, as `levy copy` does it. */
import { join } from 'node:path';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { copy as copyLog } from '../../src/levy/copy.ts';
import { median } from '../measuring/alternate.ts';
import { startEventStoreServer } from '../measuring/event-store-server.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { writeFlows } from '../measuring/many-flows.ts';
import { onLog } from '../measuring/rebuilding.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const FLOWS = 5_000;
const ROUNDS = 3;
const IN_FLIGHT = 128;
const TARGET = { atLeast: 10_000 };

export const copy: Line = () =>
  inTemporaryFolder(async (folder) => {
    const log = join(folder, 'log.db');
    await onLog(log, (store) => writeFlows(store, FLOWS));
    const from = `sqlite:${log}`;
    const found = [
      await copied('from SQLite to SQLite', from, (round) => `sqlite:${join(folder, `copy-${round}.db`)}`),
    ];
    const server = await startEventStoreServer(folder);
    if ('leftOut' in server) return found;
    try {
      found.push(await copied('from SQLite to EventStoreDB', from, () => server.url));
    } finally {
      await server.stop();
    }
    return found;
  });

async function copied(what: string, from: string, targetOf: (round: number) => string): Promise<Comparison> {
  const rates: number[] = [];
  const byProcessor: number[] = [];
  let events = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const before = process.cpuUsage();
    const done = await copyLog({
      from,
      to: targetOf(round),
      inFlight: IN_FLIGHT,
      // Each round into another log of the same server.
      env: { EVENT_STORE_PREFIX: `bench_copy_${process.pid}_${round}` },
      logger: silentLogger,
    });
    events = done.events;
    rates.push((events / (performance.now() - start)) * 1_000);
    const { user, system } = process.cpuUsage(before);
    byProcessor.push(events / ((user + system) / 1e6));
  }
  return {
    what: `events/s copied ${what} and compared afterwards`,
    ratio: median(rates),
    target: TARGET,
    figures: `${written(median(rates))} events/s of ${events.toLocaleString('en-US')} events of whole flows; ${written(median(byProcessor))} events per second of the processor's time`,
  };
}
