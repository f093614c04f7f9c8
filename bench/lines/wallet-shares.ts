/** What wallets were paid in all tokens: written from the ledgers of runs, and asked for a wallet at a time. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { createLedgers, type Ledgers } from '../../src/distribution/ledger/open-ledgers.ts';
import { walletSharesIn } from '../../src/distribution/ledger/wallet-shares-in.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { commitInSlices, createSliceSize } from '../../src/kernel/runtime/sliced-commits.ts';
import { walletShares } from '../../src/projections/wallet-shares.ts';
import { NOTHING_CARRIED } from '../../src/streams/distribution.ts';
import { type Line, written } from '../measuring/line.ts';
import { writePaidRun } from '../measuring/paid-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const WALLETS = Number(process.env.BENCH_WALLETS ?? 100_000);
const TOKENS = 10;
const FEW = 1_000;
const LOOK_UPS = 400;
const ROUNDS = 7;
const TARGET = { atMost: 2 };

export const walletSharesLine: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(join(folder, 'ledgers'));
    try {
      const many = await fill(join(folder, 'many.db'), blobs, WALLETS);
      const few = await fill(join(folder, 'few.db'), blobs, FEW);
      const rounds: { readonly many: number; readonly few: number }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({ many: await medianLookUp(many), few: await medianLookUp(few) });
      const rows = (WALLETS * TOKENS).toLocaleString('en-US');
      await many.close();
      await few.close();
      return [
        {
          what: `a wallet's shares in ${TOKENS} tokens, p50 among ${rows} / among ${(FEW * TOKENS).toLocaleString('en-US')}`,
          ratio: median(rounds.map((each) => each.many / each.few)),
          target: TARGET,
          figures: `${written(median(rounds.map((each) => each.many)))} us, ${written(median(rounds.map((each) => each.few)))} us`,
        },
        {
          what: `the ledgers of ${TOKENS} runs of ${WALLETS.toLocaleString('en-US')} holders read and written, by processor time`,
          figures: `the first time ${written(many.first)} wallets/s, ${written(many.bytes)} bytes each; again ${written(many.again)} wallets/s; the longest commit took ${written(many.held)} ms`,
        },
      ];
    } finally {
      await blobs.close();
    }
  });

interface Filled {
  readonly readModel: ReadModel;
  readonly owners: Uint8Array;
  /** Wallets per second of the processor's time. */
  readonly first: number;
  readonly again: number;
  /** Of the file, for each wallet in each token. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly held: number;
  close(): Promise<void>;
}

async function fill(
  path: string,
  blobs: Parameters<typeof writePaidRun>[0],
  wallets: number,
): Promise<Filled> {
  const { files, owners } = await writePaidRun(blobs, wallets);
  const ledgers = createLedgers(blobs);
  const database = openSqliteDatabase(path);
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([walletShares]);
  await readModel.goLive(walletShares);
  const sliceSize = createSliceSize();
  let held = 0;
  async function once(position: string): Promise<number> {
    const before = process.cpuUsage();
    for (let token = 0; token < TOKENS; token++)
      held = Math.max(held, await write({ ledgers, readModel, sliceSize }, files, token, position));
    const { user, system } = process.cpuUsage(before);
    return (wallets * TOKENS) / ((user + system) / 1e6);
  }
  const first = await once('00000000000000000001');
  const bytes = ((await stat(path)).size + (await sizeOf(`${path}-wal`))) / (wallets * TOKENS);
  const again = await once('00000000000000000002');
  return {
    readModel,
    owners,
    first,
    again,
    bytes,
    held,
    async close() {
      await readModel.close();
      await database.close();
    },
  };
}

/** Resolves with the milliseconds that the longest commit took. */
async function write(
  to: {
    readonly ledgers: Ledgers;
    readonly readModel: ReadModel;
    readonly sliceSize: ReturnType<typeof createSliceSize>;
  },
  { ledger, settlement }: { readonly ledger: string; readonly settlement: string | undefined },
  token: number,
  position: string,
): Promise<number> {
  const run = {
    tokenId: deriveId('token', String(token)),
    runId: deriveId('run', String(token), position),
    closedAt: '2026-05-04T10:00:00.000Z',
    carried: { ...NOTHING_CARRIED, ledger, settlement: settlement ?? null },
  };
  let longest = 0;
  for await (const slice of walletSharesIn(to.ledgers, run)) {
    const start = performance.now();
    const changes = slice.map(({ key, document }) => ({ key, position, document }));
    await commitInSlices(to, [{ collection: walletShares, changes }]);
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** Microseconds. */
async function medianLookUp({ readModel, owners }: Filled): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < LOOK_UPS; number++) {
    const index = Math.floor(Math.random() * (owners.length / 32));
    const wallet = addressOf(owners.subarray(index * 32, index * 32 + 32));
    const start = performance.now();
    const found = await readModel.find(walletShares, 'wallet', wallet, { limit: 21, newestFirst: true });
    times.push((performance.now() - start) * 1_000);
    if (found.length !== TOKENS) throw new Error(`${wallet} was paid in all tokens`);
  }
  return median(times);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
