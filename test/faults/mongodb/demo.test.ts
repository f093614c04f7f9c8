// The demo goes well with its read models, images and ledgers in MongoDB, although the service and the server are killed.
import { describe, expect, test, vi } from 'vitest';
import { sleep } from '../../../src/kernel/runtime/sleep.ts';
import { createRandom } from '../../support/faulty-chain/random.ts';
import {
  hasMongoServer,
  type MongoServer,
  startMongoServer,
  tellOfSkippedMongo,
} from '../../support/mongo-server.ts';
import { killAll, runDemo, servicesOf } from '../../support/running-demo.ts';

const FIRST = Number(process.env.LEVY_DEMO_SEED ?? 1);
const SEEDS = Number(process.env.LEVY_DEMO_SEEDS ?? 2);

/** No more, so that a slow machine, on which every start takes longer than the time between two kills, ends too. */
const MAX_KILLS = 8;

tellOfSkippedMongo(1 + SEEDS);
vi.setConfig({ testTimeout: 300_000 });

describe.skipIf(!hasMongoServer)('the demo, with everything but the log in MongoDB, goes well', () => {
  test('although its service, the server, or both are killed after each step', async () => {
    const server = await startMongoServer();
    let step = 0;
    const told = await runDemo(allOn(server), async (demo) => {
      step += 1;
      // Both: then the service starts while there is no server.
      const isServerKilled = step % 3 !== 1;
      if (isServerKilled) await server.kill();
      if (step % 3 !== 2) killAll(servicesOf(demo));
      if (isServerKilled) await server.start();
    });
    expect(told).toContain('The service ended (SIGKILL)');
    expectGoodEnd(told);
  });

  const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST + index);
  test.each(seeds)('although one or both are killed at moments that nobody chose (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const server = await startMongoServer();
    let kills = 0;
    const told = await runDemo(
      allOn(server),
      async () => {},
      async (demo, ended) => {
        while (kills < MAX_KILLS && (await lasts(random.between(500, 6_000), ended))) {
          const what = random.pick(['service', 'server', 'both'] as const);
          kills += 1;
          if (what !== 'service') await server.kill();
          if (what !== 'server') killAll(servicesOf(demo));
          if (what === 'service') continue;
          await lasts(random.below(1_500), ended);
          await server.start();
        }
      },
    );
    expect(kills).toBeGreaterThan(0);
    expectGoodEnd(told);
  });
});

function allOn(server: MongoServer) {
  const url = server.newUrl();
  return { READ_MODEL_URL: url, IMAGE_STORE_URL: url, LEDGER_STORE_URL: url };
}

/** False if the demo ends first. */
async function lasts(milliseconds: number, ended: AbortSignal): Promise<boolean> {
  await sleep(milliseconds, ended);
  return !ended.aborted;
}

function expectGoodEnd(told: string): void {
  expect(told).toContain('everything held');
  expect(told.match(/wallets paid too often: 0, too little: 0/g)).toHaveLength(2);
}
