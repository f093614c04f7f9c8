import { describe, expect, test } from 'vitest';
import type { EngineParts } from '../../../../src/distribution/engine-parts.ts';
import type { PaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import { countRecorded, takeStep } from '../../../../src/distribution/run/take-step.ts';
import { createTokenMemory, type TokenMemory } from '../../../../src/distribution/token-memory.ts';
import type { BlobStore } from '../../../../src/kernel/ports/blob-store.ts';
import { type Chain, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor, type ExecutorOptions } from '../../../../src/kernel/runtime/execute.ts';
import { createStreamCache } from '../../../../src/kernel/runtime/stream-cache.ts';
import { distribution } from '../../../../src/streams/distribution.ts';
import { distributionRun, TaxCollected } from '../../../../src/streams/distribution-run.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../../../../src/streams/distribution-switch.ts';
import { streams } from '../../../../src/streams/index.ts';
import {
  allHalted,
  batchesSettled,
  batchReplanned,
  distributionHalted,
  distributionResumed,
  files,
  linksLanded,
  linksRecorded,
  roundRecorded,
  runAllotted,
  runClosed,
  runId,
  runRequested,
  saleAwaited,
  splitLanded,
  taxCollected,
  taxSplit,
  unsoldTax,
} from '../../../support/distribution-examples.ts';
import { ids } from '../../../support/domain-examples.ts';
import {
  BOOK,
  closeLanded,
  counting,
  courseTo,
  isOfToken,
  lastTill,
  NOW,
  nodeShowing,
  OWNERS,
  only,
  partsOf,
  SCAN,
  TOKEN,
  tokenAccount,
} from '../../../support/run-examples.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

const { tokenId } = ids;
const CLOSED = courseTo(closeLanded);
const book = only<PaymentBook>('the book', BOOK);
type Events = typeof CLOSED;

/** A log with these events, recorded a second apart, and a process that takes steps; its executor has `options`. */
async function open(events: Events, options: ExecutorOptions = {}) {
  const store = await temporaryEventStore();
  const codec = createEventCodec(streams);
  let now = NOW.getTime() - 1_000 * events.length;
  const executor = createExecutor(store, codec, { now: () => new Date(now) }, options);
  const others = createExecutor(store, codec, { now: () => NOW });
  const record = async (event: Events[number], by = others) => {
    const cause = causeOf('test');
    if (isOfToken(event)) await by.execute(distribution, tokenId, cause, () => [event]);
    else await by.execute(distributionRun, runId, cause, () => [event]);
  };
  for (const event of events) {
    await record(event, executor);
    now += 1_000;
  }
  const { counted, counts } = counting();
  const wanted: string[] = [];
  const memory: TokenMemory = {
    ...createTokenMemory(),
    runId,
    book: { ledger: files.ledger, book },
  };
  const step = (given: Partial<EngineParts> = {}) =>
    takeStep(
      partsOf({
        executor,
        counts,
        prices: { want: (mint) => wanted.push(mint), of: () => undefined },
        ...given,
      }),
      tokenId,
      memory,
    );
  return {
    step,
    record,
    memory,
    counted,
    wanted,
    haltAll: () =>
      others.execute(distributionSwitch, DISTRIBUTION_SWITCH, causeOf('test'), () => [allHalted]),
    /** The types of what was recorded behind the given events, in order. */
    news: async () => (await wholeLog(store)).slice(events.length).map(({ type }) => type),
    last: async () => (await wholeLog(store)).at(-1),
  };
}

const blobs = only<BlobStore>('the store', { put: async () => files.settlement });

/** A node that shows books that agree, or with fewer lamports others, and does something else before it answers. */
function node(meanwhile: () => Promise<unknown> = async () => undefined, lamports = 11_000_000n) {
  let looks = 0;
  const { chain } = nodeShowing({
    [lastTill]: tokenAccount({ amount: lamports }),
    [TOKEN.tokens]: tokenAccount({ amount: 90_000n }),
  });
  return {
    looks: () => looks,
    chain: only<Chain>('the chain', {
      async accountsAt(...asked) {
        looks += 1;
        await meanwhile();
        return chain.accountsAt(...asked);
      },
    }),
  };
}

/** Does it the first time only. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}

describe('what a step decides', () => {
  test('is recorded, and the next step follows at once', async () => {
    const { step, news } = await open(CLOSED);
    const { chain } = node();
    expect(await step({ chain, blobs })).toEqual({
      step: 'close',
      movedAt: new Date(NOW.getTime() - 1_000).toISOString(),
      pause: 0,
    });
    expect(await news()).toEqual(['RunClosed']);
  });

  test.each([
    ["for the token's stream", "the token's", closeLanded, runRequested],
    ["for the token's stream", "the run's", closeLanded, saleAwaited],
    ["for the run's stream", "the token's", splitLanded, runRequested],
    ["for the run's stream", "the run's", splitLanded, saleAwaited],
  ])('%s is not recorded where others wrote into %s and this process has not heard of it', async (_for, _into, from, other) => {
    // It hears of nothing but its own appends.
    const { step, record, news } = await open(courseTo(from), {
      cache: createStreamCache({ isFollowed: () => true }),
    });
    await record(other);
    const { chain } = node();
    const parts = { blobs, chain: only<Chain>('the chain', { ...chain, epoch: async () => 702n }) };
    expect(await step(parts)).toMatchObject({ pause: 0 });
    expect(await news()).toEqual([other.type]);
    expect(await step(parts)).toMatchObject({ pause: 0 });
    expect(await news()).toHaveLength(2);
  });

  test('may be recorded and waited for at once', async () => {
    const { step, news } = await open(CLOSED);
    const witness = only<Chain>('the witness', {
      accountsAt: async () => {
        throw new ChainUnavailable('no route');
      },
    });
    const parts = { chain: node().chain, witness, onWitnessVerdict: () => {} };
    const waits = { step: 'close', pause: 5_000, waitingFor: { code: 'unconfirmed' } };
    expect(await step(parts)).toMatchObject(waits);
    expect(await step(parts)).toMatchObject(waits);
    expect(await news()).toEqual(['WitnessAwaited']);
  });
});

describe('a halt', () => {
  test('that a step decides is recorded with the run, and ends the steps', async () => {
    const { step, news, last } = await open(CLOSED);
    const { chain } = node(undefined, 10_999_999n);
    const reason =
      'The books do not agree: the till holds 10999999 lamports, but 11000000 are owed or undivided.';
    expect(await step({ chain })).toMatchObject({
      step: 'halted',
      pause: 60_000,
      waitingFor: { code: 'halted', detail: reason },
    });
    expect(await news()).toEqual(['DistributionHalted']);
    expect((await last())?.data).toEqual({ tokenId, runId, code: 'BOOKS_DISAGREE', reason });
    expect(await step()).toMatchObject({ step: 'halted', waitingFor: { detail: reason } });
  });

  test.each([
    ['the token', runRequested],
    ['the run', saleAwaited],
  ])('is not recorded by a process that is behind: %s has gone on', async (_what, other) => {
    const { step, record, news } = await open(CLOSED);
    const { chain } = node(
      once(() => record(other)),
      10_999_999n,
    );
    const taken = await step({ chain });
    expect(taken).toMatchObject({ step: 'close', pause: 0 });
    expect(taken).not.toHaveProperty('waitingFor');
    expect(await news()).toEqual([other.type]);
  });

  test('of the token keeps everything from happening, and forgets its holders, until it is resumed', async () => {
    const { step, record, memory, news } = await open([...CLOSED, distributionHalted]);
    Object.assign(memory, { owners: OWNERS, scan: SCAN });
    expect(await step()).toEqual({
      pause: 60_000,
      step: 'halted',
      waitingFor: { code: 'halted', detail: distributionHalted.data.reason },
    });
    expect([memory.owners, memory.scan, memory.runId]).toEqual([undefined, undefined, undefined]);
    expect(await news()).toEqual([]);
    await record(distributionResumed);
    Object.assign(memory, { runId, book: { ledger: files.ledger, book } });
    await step({ chain: node().chain, blobs });
    expect(await news()).toEqual(['DistributionResumed', 'RunClosed']);
  });
});

describe('an error', () => {
  test('is told with the step, and nothing is recorded: the step is taken again', async () => {
    const { step, news } = await open(CLOSED);
    const failure = new ChainUnavailable('no route');
    const chain = node(async () => {
      throw failure;
    }).chain;
    expect(await step({ chain })).toEqual({
      step: 'close',
      movedAt: new Date(NOW.getTime() - 1_000).toISOString(),
      pause: 0,
      failure,
    });
    expect(await news()).toEqual([]);
  });
});

describe('what a process remembers', () => {
  test('of the price of its pool is wanted until the tax is split', async () => {
    const before = await open(courseTo(splitLanded));
    await before.step({ chain: only<Chain>('the chain', { epoch: async () => 702n }) });
    expect(before.wanted).toEqual([TOKEN.mint]);
    const after = await open(courseTo(runAllotted));
    await after.step({ clock: { now: () => NOW } });
    expect(after.wanted).toEqual([]);
  });
});

describe('transactions and sales that are counted', () => {
  type Events = Parameters<typeof countRecorded>[2];
  const withdrawalAlone = TaxCollected({ ...taxCollected.data, harvested: 0 });
  test.each<readonly [what: string, events: Events, counted: readonly string[]]>([
    ['a link that landed', [linksLanded], ['link landed']],
    ['a harvest and its withdrawal', [taxCollected], ['harvest landed', 'withdraw landed']],
    ['a withdrawal without a harvest', [withdrawalAlone], ['withdraw landed']],
    ['a batch that landed', [batchesSettled], ['payment landed']],
    ['a batch that is planned anew', [batchReplanned], ['payment refused']],
    ['a sale', [taxSplit], ['sale sold']],
    ['a sale that was not made', [unsoldTax], ['sale price-below-reference']],
    ['what may be signed, and a run that is closed', [linksRecorded, roundRecorded, runClosed], []],
    ['each event', [linksLanded, batchesSettled], ['link landed', 'payment landed']],
  ])('are those of %s', (_what, events, expected) => {
    const { counted, counts } = counting();
    countRecorded(counts, 'sol', events);
    expect(counted).toEqual(expected);
  });

  test('are none where the token itself is paid: no sale', () => {
    const { counted, counts } = counting();
    countRecorded(counts, 'token', [taxSplit]);
    expect(counted).toEqual([]);
  });
});
