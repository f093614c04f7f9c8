/**
 * `GET /distribution/:tokenId/holders/:wallet` of the built service: after a run with a million holders, compared
 * with a run with a thousand.
 */
import { join } from 'node:path';
import { addressOf } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../src/kernel/runtime/execute.ts';
import { distribution } from '../../src/streams/distribution.ts';
import { distributionRun } from '../../src/streams/distribution-run.ts';
import { streams } from '../../src/streams/index.ts';
import { token } from '../../src/streams/token.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { creationOf } from '../measuring/many-tokens.ts';
import { writePaidRun } from '../measuring/paid-run.ts';
import { startService } from '../measuring/service.ts';
import { simulateRun } from '../measuring/simulated-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const MANY = 1_000_000;
const FEW = 1_000;
const POTS = 200;
const ROUNDS = 7;
const MILLISECONDS = 1_000;
/** Called alternately. */
const WALLETS = 1_000;
const OWNER_SIZE = 32;
/** Waits until the read models are built from the log. */
const TRIES = 200;
const PAUSE = 100;

export const holders: Line = () =>
  inTemporaryFolder(async (folder) => {
    const environment = {
      RATE_LIMITS: 'off',
      NONCE_ACCOUNTS_MIN: '1',
      LEDGER_STORE_URL: `file:${folder}`,
    };
    // The keys and the chain are created before the log.
    await (await startService(folder, environment)).stop();
    const [many, few] = [await writeToken(folder, 1, MANY), await writeToken(folder, 2, FEW)];
    const service = await startService(folder, environment);
    const load = startLoadGenerator();
    try {
      await answers(service.url, many[0] ?? '');
      await answers(service.url, few[0] ?? '');
      const p50Of = (paths: readonly string[]) => async () => {
        const { p50 } = await load.run({
          url: service.url,
          method: 'GET',
          paths,
          connections: 1,
          warmUpMilliseconds: 200,
          milliseconds: MILLISECONDS,
        });
        return p50 * 1_000;
      };
      const { medians, ratio } = await alternate(ROUNDS, { many: p50Of(many), few: p50Of(few) });
      return [
        {
          what: `GET /distribution/:tokenId/holders/:wallet, p50 of one connection at ${MANY.toLocaleString('en-US')} holders / at ${FEW.toLocaleString('en-US')}`,
          ratio: ratio('many', 'few'),
          target: { atMost: 1.5 },
          figures: `${written(medians.many)} us, ${written(medians.few)} us`,
        },
      ];
    } finally {
      await load.stop();
      await service.stop();
    }
  });

/** Creates a token with one closed run. Resolves with the requested path. */
async function writeToken(folder: string, number: number, count: number): Promise<readonly string[]> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  const blobs = await openFileBlobStore(folder);
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  const cause = causeOf('bench');
  const creation = creationOf(number);
  const { tokenId, mintAddress: mint } = creation.data.token;
  const runId = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const run = await writePaidRun(blobs, count, { runId, tokenId, mint });
  const { events } = await simulateRun(blobs, run, POTS);
  await executor.execute(token, tokenId, cause, () => [creation]);
  for (const { stream, event } of events) {
    if (stream === 'distribution') await executor.execute(distribution, tokenId, cause, () => [event]);
    else await executor.execute(distributionRun, runId, cause, () => [event]);
  }
  await store.close();
  await database.close();
  await blobs.close();
  return Array.from({ length: WALLETS }, (_, index) => {
    const place = Math.floor((index * count) / WALLETS) * OWNER_SIZE;
    const wallet = addressOf(run.owners.subarray(place, place + OWNER_SIZE));
    return `/distribution/${tokenId}/holders/${wallet}`;
  });
}

/** Rejects unless the wallet was paid. */
async function answers(url: string, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url + path);
    const body = await response.text();
    if (response.status === 200 && body.includes('"paid"') && body.includes('"runs":[{')) return;
    if (tries === TRIES) throw new Error(`${path} answers ${response.status}: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
