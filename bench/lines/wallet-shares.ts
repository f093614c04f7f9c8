/** What wallets were paid in all tokens: written from the ledgers of runs, and asked for a wallet at a time. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { createLedgers, type Ledgers } from '../../src/distribution/ledger/open-ledgers.ts';
import type { RunFiles } from '../../src/distribution/ledger/run-ledger.ts';
import { walletSharesIn } from '../../src/distribution/ledger/wallet-shares-in.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { commitInSlices, createSliceSize } from '../../src/kernel/runtime/sliced-commits.ts';
import { walletShareKey, walletShares } from '../../src/projections/wallet-shares.ts';
import { NOTHING_CARRIED } from '../../src/streams/distribution.ts';
import { type Line, written } from '../measuring/line.ts';
import { writePaidRun } from '../measuring/paid-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const WALLETS = Number(process.env.BENCH_WALLETS ?? 100_000);
const TOKENS = 10;
const FEW = 1_000;
/** Tokens that a page shows in the look-ups. */
const PAGE = 5;
const LOOK_UPS = 400;
const ROUNDS = 7;
const TARGET = { atMost: 2 };

export const walletSharesLine: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(join(folder, 'ledgers'));
    try {
      const many = await fill(join(folder, 'many.db'), blobs, WALLETS);
      const few = await fill(join(folder, 'few.db'), blobs, FEW);
      const rounds: { readonly [side in 'many' | 'few']: LookUps }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({ many: await lookUpsIn(many), few: await lookUpsIn(few) });
      const joined: { readonly many: number; readonly few: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const newcomers = await writePaidRun(blobs, FEW);
        const token = TOKENS + round;
        joined.push({
          many: (await many.writeRun(newcomers.files, token)) / FEW,
          few: (await few.writeRun(newcomers.files, token)) / FEW,
        });
      }
      const [all, others] = [WALLETS, FEW].map((wallets) => (wallets * TOKENS).toLocaleString('en-US'));
      const compare = (what: string, each: (side: LookUps) => readonly number[]) => ({
        what: `${what}, p50 among ${all} / among ${others}`,
        ratio: median(rounds.map((round) => median(each(round.many)) / median(each(round.few)))),
        target: TARGET,
        figures: (['many', 'few'] as const)
          .map((side) => percentiles(rounds.flatMap((round) => each(round[side]))))
          .join('; '),
      });
      await many.close();
      await few.close();
      return [
        compare(`a wallet's shares in ${TOKENS} tokens, all at once`, ({ whole }) => whole),
        compare(`the first page of ${PAGE}`, ({ first }) => first),
        compare('the page behind it', ({ next }) => next),
        {
          what: `a first run of ${FEW.toLocaleString('en-US')} new holders read and written, by processor time, beside ${all} / beside ${others}`,
          ratio: median(joined.map((each) => each.many / each.few)),
          target: TARGET,
          figures: `${written(median(joined.map((each) => each.many)))} us, ${written(median(joined.map((each) => each.few)))} us a holder`,
        },
        {
          what: `the ledgers of ${TOKENS} runs of ${WALLETS.toLocaleString('en-US')} holders read and written, by processor time`,
          figures:
            `the first time ${written(many.first)} wallets/s, ${written(many.bytes)} bytes each, in ${written(many.seconds)} s; the next run of one of them ` +
            `${written(many.again)} wallets/s; the longest commit took ${written(many.held)} ms, the process at most ${written(process.resourceUsage().maxRSS / 1_024)} MB`,
        },
      ];
    } finally {
      await blobs.close();
    }
  });

/** Microseconds of each look-up. */
interface LookUps {
  readonly whole: readonly number[];
  readonly first: readonly number[];
  readonly next: readonly number[];
}

interface Filled {
  readonly readModel: ReadModel;
  readonly owners: Uint8Array;
  /** Wallets per second of the processor's time. */
  readonly first: number;
  readonly again: number;
  /** Until the first runs were written. */
  readonly seconds: number;
  /** Of the file, for each wallet in each token. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly held: number;
  /** Of a token: resolves with the microseconds of processor time that it took. */
  writeRun(files: RunFiles, token: number): Promise<number>;
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
  const to = { ledgers, readModel, sliceSize: createSliceSize() };
  let held = 0;
  async function runs(position: string, tokens: number): Promise<number> {
    const took = await processorTime(async () => {
      for (let token = 0; token < tokens; token++)
        held = Math.max(held, await write(to, files, token, position));
    });
    return (wallets * tokens) / (took / 1e6);
  }
  const start = performance.now();
  const first = await runs('00000000000000000001', TOKENS);
  const seconds = (performance.now() - start) / 1_000;
  const bytes = ((await stat(path)).size + (await sizeOf(`${path}-wal`))) / (wallets * TOKENS);
  const again = await runs('00000000000000000002', 1);
  return {
    readModel,
    owners,
    first,
    again,
    seconds,
    bytes,
    held,
    writeRun: (run, token) => processorTime(() => write(to, run, token, '00000000000000000003')),
    async close() {
      await readModel.close();
      await database.close();
    },
  };
}

/** Microseconds, of user and system. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Resolves with the milliseconds that the longest commit took. */
async function write(
  to: {
    readonly ledgers: Ledgers;
    readonly readModel: ReadModel;
    readonly sliceSize: ReturnType<typeof createSliceSize>;
  },
  { ledger, settlement }: RunFiles,
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

/** The first page is of another wallet than all at once: what one look-up has read would be in memory for the other. */
async function lookUpsIn({ readModel, owners }: Filled): Promise<LookUps> {
  const times: { readonly [each in keyof LookUps]: number[] } = { whole: [], first: [], next: [] };
  for (let number = 0; number < LOOK_UPS; number++) {
    await timed(times.whole, TOKENS, randomWallet(owners), TOKENS + 1);
    const wallet = randomWallet(owners);
    const last = (await timed(times.first, PAGE + 1, wallet, PAGE + 1))[PAGE - 1];
    if (last === undefined) throw new Error(`${wallet} has a first page`);
    await timed(times.next, TOKENS - PAGE, wallet, PAGE + 1, walletShareKey(last));
  }
  return times;

  async function timed(into: number[], expected: number, wallet: string, limit: number, after?: string) {
    const start = performance.now();
    const found = await readModel.find(walletShares, 'wallet', wallet, {
      limit,
      newestFirst: true,
      ...(after === undefined ? {} : { after }),
    });
    into.push((performance.now() - start) * 1_000);
    if (found.length !== expected) throw new Error(`${wallet} was paid in all tokens`);
    return found;
  }
}

function randomWallet(owners: Uint8Array): string {
  const index = Math.floor(Math.random() * (owners.length / 32));
  return addressOf(owners.subarray(index * 32, index * 32 + 32));
}

function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

function percentile(numbers: readonly number[], percent: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((numbers.length * percent) / 100)] ?? Number.NaN;
}

function percentiles(times: readonly number[]): string {
  return `${[50, 90, 99].map((percent) => written(percentile(times, percent))).join(', ')} us (p50, p90, p99)`;
}
