/** Distribution engine on a local chain with a log in memory, driven step by step for one token at a time. */

import { join } from 'node:path';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { openLocalChain } from 'levy-local-chain';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { createNodeChain } from '../../src/adapters/solana-rpc/chain.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import type { EngineParts } from '../../src/distribution/engine-parts.ts';
import { createLedgers } from '../../src/distribution/ledger/open-ledgers.ts';
import { RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import { takeStep } from '../../src/distribution/run/take-step.ts';
import { createMarkets } from '../../src/distribution/selling/sale-venue.ts';
import { createDesk } from '../../src/distribution/selling/test-buyer.ts';
import { createSender } from '../../src/distribution/sending/sender.ts';
import { createTokenMemory } from '../../src/distribution/token-memory.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import type { Chain } from '../../src/kernel/ports/chain.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../src/kernel/runtime/execute.ts';
import { type DistributionState, distribution, RunRequested } from '../../src/streams/distribution.ts';
import { type DistributionRunState, distributionRun } from '../../src/streams/distribution-run.ts';
import { streams } from '../../src/streams/index.ts';
import { token as tokenStream } from '../../src/streams/token.ts';
import { creationOf } from './many-tokens.ts';
import { BASIS_POINTS, DECIMALS, supplyOf, type TaxedToken, writeTaxedTokens } from './taxed-tokens.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

export const KEYRING = createKeyring(Buffer.alloc(32, 12));
const SOL = 1_000_000_000n;
/** Approximate share of each holder: enough to create a missing wallet. */
const LAMPORTS_A_HOLDER = 1_300_000n;
/** `taxed-tokens.ts` withholds a thousandth of the supply. */
const SUPPLY_TO_TAX = 1_001n;

/** A token that the engine distributes, and its number among the tokens of a benchmark. */
export interface DistributedExample extends TaxedToken {
  readonly tokenId: string;
  readonly walletId: string;
  readonly asset: 'sol' | 'token';
}

export interface RunNow {
  readonly state: DistributionState;
  readonly run: DistributionRunState;
}

export interface DistributingEngine {
  readonly chain: Chain;
  readonly blobs: BlobStore;
  /** Requests a run, and takes its steps until `isOver`, which is called before each step. */
  distribute(
    example: DistributedExample,
    maxPots: number,
    isOver: (now: RunNow | undefined) => boolean,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Deterministic by number. */
export function exampleToken(
  number: number,
  figures: Pick<DistributedExample, 'holders' | 'taxed' | 'asset'>,
): DistributedExample {
  const { token } = creationOf(number).data;
  const wallet = KEYRING.distributionWallet(token.walletId).address;
  return {
    ...figures,
    hasAssociated: figures.asset === 'token',
    tokenId: token.tokenId,
    walletId: token.walletId,
    mint: token.mintAddress,
    wallet,
  };
}

/** Runs a separate chain that contains these tokens and their holders. */
export function withDistributingEngine<Result>(
  options: { readonly examples: readonly DistributedExample[]; readonly slotMilliseconds: number },
  work: (engine: DistributingEngine) => Promise<Result>,
): Promise<Result> {
  const { examples, slotMilliseconds } = options;
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'accounts.json');
    await writeTaxedTokens(file, examples);
    const local = await openLocalChain({
      dataDir: join(folder, 'chain'),
      accountFiles: [file],
      slotMilliseconds,
    });
    try {
      const engine = await openDistributingEngine(local.url, folder);
      try {
        return await work(engine);
      } finally {
        await engine.close();
      }
    } finally {
      await local.close();
    }
  });
}

async function openDistributingEngine(url: string, folder: string): Promise<DistributingEngine> {
  const chain = createNodeChain({ url, timeout: 60_000 });
  const blobs = await openFileBlobStore(folder);
  const database = openSqliteDatabase(':memory:');
  const store = createSqliteEventStore(database);
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  const cause = causeOf('bench');
  await chain.airdrop(KEYRING.distributor.address, 1_000n * SOL);
  let numberOf = 0;

  async function create(example: DistributedExample): Promise<void> {
    const { data } = creationOf(++numberOf);
    const created = {
      ...creationOf(numberOf),
      data: {
        ...data,
        token: {
          ...data.token,
          tokenId: example.tokenId,
          walletId: example.walletId,
          mintAddress: example.mint,
          distributionWallet: example.wallet,
          decimals: DECIMALS,
          supply: supplyOf(example).toString(),
          transferFeeBasisPoints: BASIS_POINTS,
          burnBasisPoints: 0,
          developerFeeBasisPoints: 0,
          sellBasisPoints: 10_000,
          distributionInterval: '24h' as const,
          rewardToken: example.asset === 'sol' ? 'SOL' : 'SELF',
        },
      },
    };
    await executor.execute(tokenStream, example.tokenId, cause, () => [created]);
    await executor.execute(distribution, example.tokenId, cause, () => [
      RunRequested({ tokenId: example.tokenId, reason: 'A benchmark asks for it.' }),
    ]);
  }

  function partsFor({ holders }: DistributedExample, maxPots: number): EngineParts {
    const marketCap = BigInt(holders) * LAMPORTS_A_HOLDER * SUPPLY_TO_TAX;
    return {
      executor,
      chain,
      witness: undefined,
      onWitnessVerdict() {},
      blobs,
      ledgers: createLedgers(blobs),
      keyring: KEYRING,
      clock: systemClock,
      markets: createMarkets([
        createDesk({
          chain,
          key: KEYRING.desk,
          marketCap,
        }),
      ]),
      sender: createSender({ chain, maximumPrice: 0n }),
      policy: {
        holding: 'now',
        minShare: 1_000n,
        minimumPayout: 10_000n,
        floor: 0n,
        costsMaxBasisPoints: 1_000,
        selfCostsPerDay: SOL,
        maxPots,
        announce: 0,
        recipients: RECIPIENTS,
      },
      prices: { want() {}, of: () => undefined },
      yieldToOthers: () => setImmediate(),
      counts: { scanned() {}, transaction() {}, sale() {} },
      suitability: { unsuitable: () => undefined, check: async () => undefined },
    };
  }

  async function now(tokenId: string): Promise<RunNow | undefined> {
    const { state } = await executor.load(distribution, tokenId);
    if (state.halted !== undefined) throw new Error(`halted: ${state.halted.reason}`);
    if (state.open === undefined) return undefined;
    const { state: run } = await executor.load(distributionRun, state.open.runId);
    return { state, run };
  }

  return {
    chain,
    blobs,
    async distribute(example, mostPots, isOver) {
      await create(example);
      const parts = partsFor(example, mostPots);
      const memory = createTokenMemory();
      while (!isOver(await now(example.tokenId))) {
        const taken = await takeStep(parts, example.tokenId, memory);
        if (taken.step === 'idle') throw new Error(`no run is opened: ${taken.waitingFor}`);
        if (taken.pause > 0) await pause(taken.pause);
      }
    },
    async close() {
      await store.close();
      await database.close();
      await blobs.close();
    },
  };
}
