/**
 * Cost of the distributor's schedule per token while many tokens are due, and cost of many tokens that always fail.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { type DistributorOptions, startDistributor } from '../../src/distribution/distributor.ts';
import { type Chain, ChainUnavailable } from '../../src/kernel/ports/chain.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor, type Executor } from '../../src/kernel/runtime/execute.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { distribution } from '../../src/streams/distribution.ts';
import { distributionSwitch } from '../../src/streams/distribution-switch.ts';
import { streams } from '../../src/streams/index.ts';
import { linksLanded, linksRecorded, runOpened } from '../../test/support/distribution-examples.ts';
import { ids } from '../../test/support/domain-examples.ts';
import { only, partsOf, taxedMint } from '../../test/support/run-examples.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';

const [FEW, MANY] = [1_000, 30_000];
const ROUNDS = 5;
const FAILING = 5_000;
/** Milliseconds: until most tokens wait, and during which they are observed. */
const [SETTLING, WATCHED] = [60_000, 20_000];

export const dueTokens: Line = async () => {
  const due = await alternate(ROUNDS, { many: () => ofDue(MANY), few: () => ofDue(FEW) });
  const { share, tries, megabytes } = await ofFailing(FAILING);
  return [
    {
      what: `processor time of a due token's first step, with ${written(MANY)} due / with ${written(FEW)}`,
      ratio: due.ratio('many', 'few'),
      target: { atMost: 1.2 },
      figures: `${written(due.medians.many)} us, ${written(due.medians.few)} us`,
    },
    {
      what: `share of a core for ${written(FAILING)} tokens whose scans fail`,
      ratio: share,
      target: { atMost: 0.1 },
      figures: `${written(tries)} tries a second, ${written(megabytes)} MB of memory more`,
    },
  ];
};

/** Microseconds for each token. */
async function ofDue(count: number): Promise<number> {
  let steps = 0;
  let done = () => {};
  const allTaken = new Promise<void>((resolve) => {
    done = resolve;
  });
  const halted = {
    state: { ...distribution.initial, halted: { reason: 'a benchmark' } },
    revision: 0,
    events: [],
  };
  const executor = {
    learn() {},
    async load({ category }: { readonly category: string }) {
      if (category === distributionSwitch.category) return { state: undefined, events: [] };
      steps += 1;
      if (steps === count) done();
      return halted;
    },
  };
  const begun = process.cpuUsage();
  const stop = distributing(count, { executor } as unknown as Partial<DistributorOptions>);
  await allTaken;
  const { user, system } = process.cpuUsage(begun);
  await stop();
  return (user + system) / count;
}

async function ofFailing(count: number) {
  const database = openSqliteDatabase(':memory:');
  const store = createSqliteEventStore(database);
  const executor = createExecutor(store, createEventCodec(streams), systemClock);
  for (const event of [runOpened, linksRecorded, linksLanded])
    await executor.execute(distribution, ids.tokenId, causeOf('bench'), () => [event]);
  let tries = 0;
  const chain = only<Chain>('the chain', {
    accountsAt: async () => ({ slot: 9_999n, accounts: [taxedMint({ supply: 1n, withheld: 0n })] }),
    async tokenAccounts() {
      tries += 1;
      throw new ChainUnavailable('scans are refused');
    },
  });
  const memory = () => process.memoryUsage().rss / 1_048_576;
  const memoryBefore = memory();
  const stop = distributing(count, { store, chain, executor: asOneToken(executor) });
  await pause(SETTLING);
  const [begun, triesBefore] = [process.cpuUsage(), tries];
  await pause(WATCHED);
  const { user, system } = process.cpuUsage(begun);
  const found = {
    share: (user + system) / 1_000 / WATCHED,
    tries: ((tries - triesBefore) * 1_000) / WATCHED,
    megabytes: memory() - memoryBefore,
  };
  await stop();
  await store.close();
  await database.close();
  return found;
}

/** Every token has the example's run. */
function asOneToken(executor: Executor): Executor {
  const idOf = (category: string, id: string) => (category === distribution.category ? ids.tokenId : id);
  return withMethods(executor, {
    load: (stream, id, ...options) => executor.load(stream, idOf(stream.category, id), ...options),
  });
}

/** Starts a distributor. The returned function stops it. */
function distributing(count: number, given: Partial<DistributorOptions>): () => Promise<void> {
  const now = new Date().toISOString();
  const documents = Array.from({ length: count }, (_, number) => ({
    tokenId: `token ${String(number).padStart(8, '0')}`,
    createdAt: now,
    interval: '1h',
    lastDueAt: null,
    enabled: true,
    hidden: false,
    state: 'idle',
    openRunId: 'a run',
    requested: false,
  }));
  let page = 0;
  const readModel = {
    served: async () => undefined,
    async find(_of: unknown, _index: unknown, _key: unknown, { limit }: { readonly limit: number }) {
      const found = documents.slice(page, page + limit);
      page += limit;
      return found;
    },
  };
  const store = {
    async *subscribe({ signal }: { readonly signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const { stop } = startDistributor({
    ...partsOf({ clock: systemClock }),
    store,
    readModel,
    suitability: { unsuitable: () => undefined },
    concurrentTokens: 16,
    logger: silentLogger,
    ...given,
  } as unknown as DistributorOptions);
  return stop;
}
