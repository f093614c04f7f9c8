/** A wallet's payments in all tokens: written from the ledgers of runs, and read for one wallet at a time. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { createLedgers, type Ledgers } from '../../src/distribution/ledger/open-ledgers.ts';
import { readWalletShares } from '../../src/distribution/ledger/read-wallet-shares.ts';
import type { RunFiles } from '../../src/distribution/ledger/run-ledger.ts';
import type { ReadModel } from '../../src/kernel/ports/read-model.ts';
import { commitInSlices } from '../../src/kernel/runtime/fold-events.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { walletShareKey, walletShares } from '../../src/projections/wallet-shares.ts';
import { NOTHING_CARRIED } from '../../src/streams/distribution.ts';
import { median, quantile } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { writePaidRun } from '../measuring/paid-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const WALLETS = Number(process.env.BENCH_WALLETS ?? 100_000);
const TOKENS = 10;
const FEW = 1_000;
/** Tokens per page in the lookups. */
const PAGE = 5;
const LOOK_UPS = 400;
const ROUNDS = 7;
/** Page size of SQLite's files, in bytes. */
const PAGE_SIZE = 4_096;
/** Pages read besides the one of each token: the index page, and inner pages that are not in memory. */
const OTHER_PAGES = 2;
const TARGET = { atMost: 2 };

export const walletSharesLine: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(join(folder, 'ledgers'));
    try {
      const many = await fill(join(folder, 'many.db'), blobs, WALLETS);
      const few = await fill(join(folder, 'few.db'), blobs, FEW);
      const rounds: { readonly many: LookUps; readonly few: LookUps; readonly page: number }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({
          many: await lookUpsIn(many),
          few: await lookUpsIn(few),
          page: bareRead(join(folder, 'many.db')),
        });
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
      const compare = (what: string, tokens: number, each: (side: LookUps) => readonly number[]) => ({
        what: `${what}, p50 among ${all} / among ${others} and ${tokens + 1} bare reads of pages of the same file`,
        ratio: median(
          rounds.map(({ many, few, page }) => median(each(many)) / (median(each(few)) + (tokens + 1) * page)),
        ),
        target: TARGET,
        figures:
          `${percentiles(rounds.flatMap(({ many }) => each(many)))}; ${percentiles(rounds.flatMap(({ few }) => each(few)))}, ` +
          `${written(median(rounds.map(({ page }) => page)))} us a bare read; without these ` +
          `${written(median(rounds.map(({ many, few }) => median(each(many)) / median(each(few)))))} times`,
      });
      await many.close();
      await few.close();
      return [
        {
          what: `reads of the file for a wallet's shares in ${TOKENS} tokens among ${all}`,
          ratio: median(rounds.map(({ many }) => many.reads)),
          target: { atMost: TOKENS + OTHER_PAGES },
          figures: `${written(median(rounds.map(({ few }) => few.reads)))} among ${others}`,
        },
        compare(`a wallet's shares in ${TOKENS} tokens, all at once`, TOKENS, ({ whole }) => whole),
        compare(`the first page of ${PAGE}`, PAGE + 1, ({ first }) => first),
        compare('the page behind it', TOKENS - PAGE, ({ next }) => next),
        {
          what: `a first run of ${FEW.toLocaleString('en-US')} new holders read and written, by processor time, beside ${all} / beside ${others}`,
          ratio: median(joined.map((each) => each.many / each.few)),
          target: TARGET,
          figures: `${written(median(joined.map((each) => each.many)))} us, ${written(median(joined.map((each) => each.few)))} us a holder`,
        },
        {
          what: `the ledgers of ${TOKENS} runs of ${WALLETS.toLocaleString('en-US')} holders read and written, by processor time`,
          figures:
            `the first time ${inWords(many.first)}, ${written(many.bytes)} bytes each, in ${written(many.seconds)} s; the next run of one of them ` +
            `${inWords(many.again)}; the longest commit took ${written(many.held)} ms, the process at most ${written(process.resourceUsage().maxRSS / 1_024)} MB`,
        },
      ];
    } finally {
      await blobs.close();
    }
  });

/** Microseconds of each lookup. */
interface LookUps {
  /** Reads of the file for one of the `whole` lookups. */
  readonly reads: number;
  readonly whole: readonly number[];
  readonly first: readonly number[];
  readonly next: readonly number[];
}

interface Writing {
  /** Wallets per second of processor time. */
  readonly rate: number;
  /** Kilobytes written to the disk for each wallet. */
  readonly kilobytes: number;
}

interface Filled {
  readonly readModel: ReadModel;
  readonly owners: Uint8Array;
  readonly first: Writing;
  readonly again: Writing;
  /** Seconds until the first runs were written. */
  readonly seconds: number;
  /** Bytes of the file for each wallet in each token. */
  readonly bytes: number;
  /** Longest commit, in milliseconds. */
  readonly held: number;
  /** Writes a run of a token. Resolves with the microseconds of processor time that it took. */
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
  const to = { ledgers, readModel };
  let held = 0;
  async function runs(position: string, tokens: number): Promise<Writing> {
    const before = counted('wchar');
    const took = await processorTime(async () => {
      for (let token = 0; token < tokens; token++)
        held = Math.max(held, await write(to, files, token, position));
    });
    return {
      rate: (wallets * tokens) / (took / 1e6),
      kilobytes: (counted('wchar') - before) / (wallets * tokens) / 1_000,
    };
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

/** Microseconds, user and system. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Resolves with the milliseconds of the longest commit. */
async function write(
  to: {
    readonly ledgers: Ledgers;
    readonly readModel: ReadModel;
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
  for await (const slice of readWalletShares(to.ledgers, run)) {
    const start = performance.now();
    const changes = slice.map(({ key, document }) => ({ key, position, document }));
    await commitInSlices(to.readModel, [{ collection: walletShares, changes }]);
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

/**
 * The first page is read for another wallet than the whole list. Otherwise one lookup would find the other's pages
 * in memory.
 */
async function lookUpsIn({ readModel, owners }: Filled): Promise<LookUps> {
  const times: { readonly [each in 'whole' | 'first' | 'next']: number[] } = {
    whole: [],
    first: [],
    next: [],
  };
  const before = counted('syscr');
  for (let number = 0; number < LOOK_UPS; number++)
    await timed(times.whole, TOKENS, randomWallet(owners), TOKENS + 1);
  const reads = (counted('syscr') - before) / LOOK_UPS;
  for (let number = 0; number < LOOK_UPS; number++) {
    const wallet = randomWallet(owners);
    const last = (await timed(times.first, PAGE + 1, wallet, PAGE + 1))[PAGE - 1];
    if (last === undefined) throw new Error(`${wallet} has a first page`);
    await timed(times.next, TOKENS - PAGE, wallet, PAGE + 1, walletShareKey(last));
  }
  return { ...times, reads };

  async function timed(into: number[], expected: number, wallet: string, limit: number, after?: string) {
    const start = performance.now();
    const found = await readModel.find(walletShares, 'wallet', wallet, {
      limit,
      descending: true,
      ...(after === undefined ? {} : { after }),
    });
    into.push((performance.now() - start) * 1_000);
    if (found.length !== expected) throw new Error(`${wallet} was paid in all tokens`);
    return found;
  }
}

/**
 * Microseconds for reading a random page of the file. Afterwards the read model holds no lock on the file, which is
 * harmless here.
 */
function bareRead(path: string): number {
  const file = openSync(path, 'r');
  try {
    const pages = Math.floor(statSync(path).size / PAGE_SIZE);
    const page = Buffer.alloc(PAGE_SIZE);
    const times = Array.from({ length: LOOK_UPS }, () => {
      const start = performance.now();
      for (let read = 0; read < TOKENS; read++)
        readSync(file, page, 0, PAGE_SIZE, Math.floor(Math.random() * pages) * PAGE_SIZE);
      return ((performance.now() - start) * 1_000) / TOKENS;
    });
    return median(times);
  } finally {
    closeSync(file);
  }
}

/** Counters of the system for this process: read calls, or written bytes. NaN if the system does not report them. */
function counted(what: 'syscr' | 'wchar'): number {
  try {
    return Number(new RegExp(`^${what}: (\\d+)$`, 'm').exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

function randomWallet(owners: Uint8Array): string {
  const index = Math.floor(Math.random() * (owners.length / 32));
  return addressOf(owners.subarray(index * 32, index * 32 + 32));
}

function inWords({ rate, kilobytes }: Writing): string {
  return `${written(rate)} wallets/s and ${written(kilobytes)} KB written for each`;
}

function percentiles(times: readonly number[]): string {
  const ascending = times.toSorted((one, other) => one - other);
  return `${[0.5, 0.9, 0.99].map((share) => written(quantile(ascending, share))).join(', ')} us (p50, p90, p99)`;
}
