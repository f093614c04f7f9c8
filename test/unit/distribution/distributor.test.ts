// Order in which tokens take their steps, and its log lines.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../../src/app/logger.ts';
import { type DistributorOptions, startDistributor } from '../../../src/distribution/distributor.ts';
import { MAX_PAUSE } from '../../../src/distribution/engine-parts.ts';
import { type Chain, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { withMethods } from '../../../src/kernel/runtime/wrap-calls.ts';
import { DistributionResumed, distribution } from '../../../src/streams/distribution.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../../../src/streams/distribution-switch.ts';
import { streams } from '../../../src/streams/index.ts';
import { token } from '../../../src/streams/token.ts';
import { causeOf } from '../../support/counter.ts';
import { allHalted, linksLanded, linksRecorded, runOpened } from '../../support/distribution-examples.ts';
import { ids, tokenCreated } from '../../support/domain-examples.ts';
import { eventually } from '../../support/eventually.ts';
import { KEYRING, only, partsOf, taxedMint } from '../../support/run-examples.ts';
import { skipPauses } from '../../support/skipped-pauses.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

skipPauses();

const START = Date.UTC(2026, 4, 4);
const documentOf = (tokenId: string, given: object = {}) => ({
  tokenId,
  createdAt: new Date(START).toISOString(),
  interval: '1h',
  lastDueAt: null,
  enabled: true,
  hidden: false,
  state: 'idle',
  openRunId: 'a run',
  requested: false,
  ...given,
});

type Answer = () => Promise<unknown>;
const HALTED: Answer = async () => ({
  state: { ...distribution.initial, halted: { reason: 'a test' } },
  revision: 0,
  events: [],
});
const FAILS: Answer = () => Promise.reject(new ChainUnavailable('away'));

interface World {
  readonly tokens?: readonly string[];
  /** With nothing to do. */
  readonly asleep?: readonly string[];
  readonly decorate?: (store: EventStore) => EventStore;
  /** What a step of the token meets when it reads what is recorded. */
  readonly answer: (tokenId: string) => Promise<unknown>;
}

/** Two steps at a time. `trace`: the tokens that began one, and the types of events that were heard of, in their order. */
async function distributing({ tokens = [], asleep = [], decorate = (store) => store, answer }: World) {
  const store = await temporaryEventStore();
  const at = { now: START };
  const clock = { now: () => new Date(at.now) };
  const writer = createExecutor(store, createEventCodec(streams), clock);
  const trace: string[] = [];
  const lines: string[] = [];
  const documents = [
    ...tokens.map((tokenId) => documentOf(tokenId)),
    ...asleep.map((tokenId) => documentOf(tokenId, { openRunId: null, enabled: false })),
  ];
  const options = {
    ...partsOf({ clock, keyring: KEYRING }),
    executor: {
      learn: (events: readonly { readonly type: string }[]) => trace.push(...events.map(({ type }) => type)),
      async load({ category }: { readonly category: string }, tokenId: string) {
        if (category === distributionSwitch.category) return { state: undefined, events: [] };
        trace.push(tokenId);
        return answer(tokenId);
      },
    },
    store: decorate(store),
    readModel: { served: async () => undefined, find: async () => documents },
    suitability: { unsuitable: () => undefined },
    concurrentTokens: 2,
    logger: createLogger(
      loggerTo((message) => void lines.push(message)),
      () => at.now,
    ),
  } as unknown as DistributorOptions;
  const { stop } = startDistributor(options);
  onTestFinished(() => stop());
  return { at, trace, lines, writer };
}

/** Whatever is due has had its turn: the distributor looks once a second. */
async function someTurns(): Promise<void> {
  for (let second = 0; second < 5; second += 1) await new Promise((resolve) => setTimeout(resolve, 1_000));
}

describe('a token', () => {
  test('takes a step beside others as long as there is a place, and else as soon as one ends', async () => {
    const ends = new Map<string, () => void>();
    const { trace } = await distributing({
      tokens: ['a', 'b', 'c'],
      answer: (tokenId) =>
        new Promise((resolve) => {
          ends.set(tokenId, () => resolve(HALTED()));
        }),
    });
    await someTurns();
    expect(trace).toEqual(['a', 'b']);
    // No second passes.
    vi.setTimerTickMode('manual');
    ends.get('a')?.();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(trace).toEqual(['a', 'b', 'c']);
    vi.setTimerTickMode('nextTimerAsync');
    for (const end of ends.values()) end();
  });

  test('whose step failed takes it again, after pauses that double up to two minutes and begin anew', async () => {
    let answer = FAILS;
    const { at, trace } = await distributing({ tokens: ['a'], answer: () => answer() });
    const isTakenAfter = async (pause: number) => {
      const before = trace.length;
      at.now += pause - 1;
      await someTurns();
      if (trace.length !== before) return false;
      at.now += 1;
      await someTurns();
      return trace.length === before + 1;
    };
    await someTurns();
    expect(trace).toEqual(['a']);
    for (const pause of [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000])
      expect([pause, await isTakenAfter(pause)]).toEqual([pause, true]);
    answer = HALTED;
    expect(await isTakenAfter(120_000)).toBe(true);
    answer = FAILS;
    expect(await isTakenAfter(MAX_PAUSE)).toBe(true);
    expect(await isTakenAfter(250)).toBe(true);
  });

  test('takes a step as soon as something is recorded of it, which the process knows by then', async () => {
    const { trace, writer } = await distributing({ tokens: [ids.tokenId, 'b'], answer: HALTED });
    await someTurns();
    expect(trace).toEqual([ids.tokenId, 'b']);
    const resumed = DistributionResumed({ tokenId: ids.tokenId, reason: 'a test' });
    await writer.execute(distribution, ids.tokenId, causeOf(), () => [resumed]);
    await someTurns();
    expect(trace.slice(2)).toEqual(['DistributionResumed', ids.tokenId]);
  });

  test('is known from its creation on', async () => {
    const { trace, writer } = await distributing({ answer: HALTED });
    await writer.execute(token, ids.tokenId, causeOf(), () => [tokenCreated]);
    await someTurns();
    expect(trace).toEqual(['TokenCreated', ids.tokenId]);
  });

  test('whose run is under way is looked at when all are halted, and no other', async () => {
    const { trace, writer } = await distributing({ tokens: ['a'], asleep: ['b'], answer: HALTED });
    await someTurns();
    await writer.execute(distributionSwitch, DISTRIBUTION_SWITCH, causeOf(), () => [allHalted]);
    await someTurns();
    expect(trace).toEqual(['a', allHalted.type, 'a']);
  });

  test('is still looked at where the log cannot be followed, and the log says that', async () => {
    const subscribe: EventStore['subscribe'] = () => {
      throw new Error('the store is away');
    };
    const { trace, lines } = await distributing({
      tokens: ['a'],
      answer: HALTED,
      decorate: (store) => withMethods(store, { subscribe }),
    });
    await someTurns();
    expect([trace, lines[0]]).toEqual([['a'], 'the log cannot be followed']);
  });
});

/** The run of a token whose holders are to be scanned next, on this chain. */
async function scanning(chain: Partial<Chain>) {
  const at = { now: START };
  const clock = { now: () => new Date(at.now) };
  const store = await temporaryEventStore();
  const executor = createExecutor(store, createEventCodec(streams), clock);
  for (const event of [runOpened, linksRecorded, linksLanded])
    await executor.execute(distribution, ids.tokenId, causeOf(), () => [event]);
  const options = {
    ...partsOf({ clock, chain: only<Chain>('the chain', chain) }),
    executor,
    store,
    readModel: {
      served: async () => undefined,
      find: async () => [documentOf(ids.tokenId)],
    },
    suitability: { unsuitable: () => undefined },
    concurrentTokens: 2,
    logger: loggerTo(() => {}),
  } as unknown as DistributorOptions;
  const { stop, progress } = startDistributor(options);
  onTestFinished(() => stop());
  return { at, progress };
}

const MINT_SHOWN = { slot: 9_999n, accounts: [taxedMint({ supply: 1n, withheld: 0n })] };

describe('a scan of holders', () => {
  test('that broke off begins again: pages of two scans do not fit together', async () => {
    const asked: unknown[] = [];
    const { at, progress } = await scanning({
      accountsAt: async () => MINT_SHOWN,
      async tokenAccounts(_mint, { after } = {}) {
        asked.push(after);
        if (after !== undefined) throw new ChainUnavailable('away');
        return { slot: 9_999n, accounts: [], next: 'the second page' };
      },
    });
    await eventually('it breaks off', async () => asked.length === 2);
    expect(progress.of(ids.tokenId)?.waitingFor).toBeDefined();
    at.now += 250;
    await eventually('it begins again', async () => asked.length > 2);
    expect(asked.slice(0, 3)).toEqual([undefined, 'the second page', undefined]);
  });
});
