// Whether a run is opened: what keeps it, what is waited for, and what it begins with.

import { describe, expect, test } from 'vitest';
import { NO_ATTEMPTS } from '../../../../../src/distribution/collecting/confirm-scan.ts';
import { newScan } from '../../../../../src/distribution/collecting/holder-scan.ts';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import type { EngineParts } from '../../../../../src/distribution/engine-parts.ts';
import { considerRun, decideRefused } from '../../../../../src/distribution/run/steps/consider-run.ts';
import { REFERENCE_WINDOW } from '../../../../../src/distribution/selling/price-reference.ts';
import type { Markets } from '../../../../../src/distribution/selling/sale-venue.ts';
import { dueRun } from '../../../../../src/distribution/timetable.ts';
import { createTokenMemory, type TokenMemory } from '../../../../../src/distribution/token-memory.ts';
import { readRecorded } from '../../../../../src/distribution/view.ts';
import { type Chain, ChainUnavailable } from '../../../../../src/kernel/ports/chain.ts';
import { createEventCodec } from '../../../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../../../../src/kernel/runtime/execute.ts';
import { createStreamCache } from '../../../../../src/kernel/runtime/stream-cache.ts';
import {
  type DistributionEvent,
  distribution,
  RunRequested,
  RunSkipped,
} from '../../../../../src/streams/distribution.ts';
import { type Wait, waitFor } from '../../../../../src/streams/distribution-wait.ts';
import { streams } from '../../../../../src/streams/index.ts';
import {
  DistributionSettingsUpdated,
  TokenCreated,
  type TokenEvent,
  TokenHidden,
  token as tokenStream,
} from '../../../../../src/streams/token.ts';
import { runClosed, runId, runOpened, runRequested } from '../../../../support/distribution-examples.ts';
import { addresses, ids, signatures, tokenCreated } from '../../../../support/domain-examples.ts';
import { historyEntry } from '../../../../support/history-entry.ts';
import {
  KEYRING,
  NOW,
  only,
  POLICY,
  partsOf,
  recordedBy,
  SCAN,
  SUMS,
  TOKEN,
  taxedMint,
} from '../../../../support/run-examples.ts';
import { temporaryEventStore } from '../../../../support/temporary-event-store.ts';

const { tokenId } = ids;
const HOUR = 3_600_000;

/** When the first run of the token opens that `open` makes. */
const OPENS_AT = dueRun(
  { tokenId, createdAt: new Date(NOW.getTime() - HOUR).toISOString(), interval: '1h', lastDueAt: undefined },
  NOW.getTime() - HOUR / 2,
  KEYRING.scanMoment,
).opensAt;

const stateAfter = (...events: readonly DistributionEvent[]) =>
  events.reduce(distribution.evolve, distribution.initial);
const IDLE = { step: 'idle' };
const WORTH = {
  step: 'consider',
  decision: { kind: 'record-of-token', events: [{ type: 'RunOpened' }] },
};
const refusedAs = (reason: string, detail?: string) => ({
  step: 'idle',
  decision: {
    kind: 'record-of-token',
    events: [{ type: 'RunSkipped', data: { reason, ...(detail === undefined ? {} : { detail }) } }],
  },
});
const waitingFor = (reason: Wait | undefined, pause: number) => ({
  kind: 'wait',
  waiting: { for: reason, pause },
});

describe('a run that is refused', () => {
  const dueAt = Date.parse('2026-05-04T12:00:00.000Z');
  const refusal = { reason: 'nothing-collected', detail: 'No tax is withheld anywhere.' } as const;
  const decide = (...events: readonly DistributionEvent[]) =>
    decideRefused({ tokenId, state: stateAfter(...events) }, dueAt, refusal);
  const waiting = { for: { code: 'nothing-collected', detail: refusal.detail }, pause: 5_000 };
  const skipped = RunSkipped({ tokenId, dueAt: '2026-05-04T12:00:00.000Z', ...refusal });

  test('is recorded, once for each reason', () => {
    expect(decide()).toEqual({ kind: 'record-of-token', events: [skipped], waiting });
    expect(decide(skipped)).toEqual({ kind: 'wait', waiting });
    const other = RunSkipped({ ...skipped.data, reason: 'no-market' });
    expect(recordedBy(decide(skipped, other))).toEqual([skipped]);
  });

  test('is recorded again for whoever asked for it, and the request is over', () => {
    expect(recordedBy(decide(skipped, runRequested))).toEqual([skipped]);
    expect(stateAfter(skipped, runRequested, skipped).requested).toBeUndefined();
  });
});

/** A token at the moment of its first run, with a million base units of tax in its mint. */
async function open(
  given: { readonly events?: readonly TokenEvent[]; readonly of?: readonly DistributionEvent[] } = {},
) {
  const { events = [tokenCreated], of = [runRequested] } = given;
  const store = await temporaryEventStore();
  const codec = createEventCodec(streams);
  const createdAt = new Date(NOW.getTime() - HOUR);
  // As a process that hears of nothing but its own appends, unless it is told.
  const cache = createStreamCache({ isFollowed: () => true });
  const executor = createExecutor(store, codec, { now: () => createdAt }, { cache });
  const others = createExecutor(store, codec, { now: () => createdAt });
  const record = (...more: readonly TokenEvent[]) =>
    executor.execute(tokenStream, tokenId, causeOf('test'), () => more);
  if (events.length > 0) await record(...events);
  if (of.length > 0) await executor.execute(distribution, tokenId, causeOf('test'), () => of);
  const memory: TokenMemory = {
    ...createTokenMemory(),
    scan: SCAN,
    attempts: { ...NO_ATTEMPTS, sums: SUMS },
  };
  const look = async (changed: Partial<EngineParts> & { readonly node?: Partial<Chain> } = {}) => {
    const { node, ...others } = changed;
    const chain = only<Chain>('the chain', {
      balance: async () => POLICY.floor,
      signaturesOf: async () => [],
      epoch: async () => 702n,
      accounts: async ([address]) => [
        address === TOKEN.mint ? taxedMint({ supply: 1_000_000_000n, withheld: 1_000_000n }) : undefined,
      ],
      ...node,
    });
    const parts = partsOf({
      executor,
      chain,
      onWitnessVerdict: () => {},
      suitability: { unsuitable: () => undefined, check: async () => undefined },
      markets: selling(),
      ...others,
    });
    return considerRun({ parts, recorded: await readRecorded(parts, tokenId), memory });
  };
  const unheard = (event: TokenEvent) => others.execute(tokenStream, tokenId, causeOf('test'), () => [event]);
  return { look, record, unheard, memory };
}

/** When the run is due that is opened; milliseconds. */
async function dueAtOf(considered: ReturnType<typeof considerRun>): Promise<number> {
  const [opened] = recordedBy((await considered).decision);
  if (opened?.type !== 'RunOpened') throw new Error('a run is opened');
  return Date.parse(opened.data.dueAt);
}

/** A market that pays well, and does something else before it answers. */
function selling(meanwhile: () => Promise<unknown> = async () => undefined) {
  return only<Markets>('the markets', {
    async quote({ mint, decimals }, amount) {
      await meanwhile();
      const market = addresses.otherNonceAccount;
      const sale = { venue: 'meteora', mint, decimals, market, amount, minimum: 1n } as const;
      return { sale, expected: 1_000_000_000n, basis: null };
    },
  });
}

const updated = (to: Parameters<typeof DistributionSettingsUpdated>[0]['to']) =>
  DistributionSettingsUpdated({ tokenId, from: {}, to });
const hidden = TokenHidden({ tokenId, reason: 'It imitates another.' });

describe('a look finds that', () => {
  test.each<readonly [what: string, events: readonly TokenEvent[], detail: string]>([
    ['is missing', [], 'The creation of the token is not recorded, or was reverted by a fork.'],
    ['is hidden', [tokenCreated, hidden], 'An operator has hidden the token.'],
    [
      'pays nothing now',
      [tokenCreated, updated({ distributionEnabled: false })],
      'The creator has disabled the distribution.',
    ],
  ])('a token %s: no run is looked for', async (_what, events, detail) => {
    const { look, memory } = await open({ events });
    expect(await look({ node: {} })).toEqual({
      step: 'idle',
      decision: waitingFor(waitFor('paused', detail), 60_000),
    });
    expect(memory.scan).toBeUndefined();
  });

  test('the distributor holds a lamport less than it needs', async () => {
    const { look, memory } = await open();
    const found = await look({ node: { balance: async () => POLICY.floor - 1n } });
    expect(found).toMatchObject(
      refusedAs(
        'distributor-unfunded',
        `The distributor ${KEYRING.distributor.address} holds 99999999 lamports; opening a run requires 100000000.`,
      ),
    );
    expect(memory.opening.handled).toBe(NOW.getTime());
  });

  test('the chain cannot carry runs', async () => {
    const { look } = await open();
    const suitability = {
      unsuitable: () => undefined,
      check: async () => 'The token program has no batches.',
    };
    expect(await look({ suitability })).toMatchObject(
      refusedAs('chain-unavailable', 'The token program has no batches.'),
    );
  });

  test('nothing is paid in the token that its creator chose', async () => {
    const { look } = await open({ events: [tokenCreated, updated({ rewardToken: addresses.creator })] });
    expect(await look()).toMatchObject(
      refusedAs('reward-token-unsupported', `Holders cannot be paid in ${addresses.creator}.`),
    );
  });

  test('it is paid in again, though this process has not heard of that yet: nothing is refused by an old state', async () => {
    const { look, unheard } = await open({
      events: [tokenCreated, updated({ rewardToken: addresses.creator })],
    });
    await unheard(updated({ rewardToken: 'SOL' }));
    expect(await look()).toMatchObject(WORTH);
  });

  test('the holders are not read yet, or cannot be, or do not add up: no run is opened by them', async () => {
    const { look, memory } = await open();
    const unread = newScan(TOKEN.mint, { inOneAnswer: true });
    Object.assign(memory, { scan: undefined, looks: NO_ATTEMPTS });
    expect(await look()).toEqual({ step: 'consider', decision: AGAIN });

    memory.scan = unread;
    const accountsAt = () => Promise.reject(new ChainUnavailable('too many accounts'));
    expect(await look({ node: { accountsAt } })).toMatchObject({
      step: 'consider',
      decision: { kind: 'wait', waiting: { for: { code: 'unconfirmed' }, pause: 5_000 } },
    });

    // The mint has a supply, and no account holds any of it.
    const mint = { slot: 4_101n, supply: 10n, withheld: 0n };
    memory.scan = { ...unread, mintBefore: mint, mintAfter: mint };
    memory.attempts = {
      ...NO_ATTEMPTS,
      earlier: { ...NO_ATTEMPTS.earlier, disagreements: 5, disagreedAt: 0 },
    };
    expect(await look()).toEqual({
      step: 'consider',
      decision: {
        kind: 'halt',
        code: 'SCAN_DISAGREES',
        reason: expect.stringContaining('lack 10 base units'),
      },
    });
  });

  test('a run is not worth it: its scan is too old for the next', async () => {
    const { look, memory } = await open();
    const noTax = async ([address]: readonly string[]) => [
      address === TOKEN.mint ? taxedMint({ supply: 1_000_000_000n, withheld: 0n }) : undefined,
    ];
    expect(await look({ node: { accounts: noTax } })).toMatchObject(refusedAs('nothing-collected'));
    expect(memory.scan).toBeUndefined();
  });

  test.each<readonly [what: string, event: TokenEvent]>([
    ['hidden by an operator', hidden],
    ['switched off by its creator', updated({ distributionEnabled: false })],
    ['to pay in another asset', updated({ rewardToken: 'SELF' })],
  ])('the token was %s while the holders were read: no run is opened', async (_what, event) => {
    const { look, record, memory } = await open();
    expect(await look({ markets: selling(() => record(event)) })).toEqual({
      step: 'consider',
      decision: AGAIN,
    });
    expect([memory.scan, memory.runId]).toEqual([undefined, undefined]);
  });

  test('a fork has dropped the newest transfer: it is not waited for any more', async () => {
    const { look } = await open();
    const node = {
      signaturesOf: async () => [historyEntry(signatures.first)],
      statuses: async () => [undefined],
    };
    expect(await look({ node })).toMatchObject(WORTH);
  });
});

describe('a run that nobody asked for', () => {
  /** Two hours after the creation. */
  const later = { now: () => new Date(NOW.getTime() + HOUR) };

  test('is waited for until it opens, for a second at least', async () => {
    const { look } = await open({ of: [] });
    const pauseBefore = async (milliseconds: number) => {
      const found = await look({ clock: { now: () => new Date(OPENS_AT - milliseconds) } });
      return found.decision.kind === 'wait' ? found.decision.waiting.pause : undefined;
    };
    expect([await pauseBefore(5_000), await pauseBefore(10)]).toEqual([5_000, 1_000]);
  });

  test('is looked for from the very moment on at which it opens', async () => {
    const { look } = await open({ of: [] });
    const clock = { now: () => new Date(OPENS_AT) };
    expect(await dueAtOf(look({ clock }))).toBe(NOW.getTime());
  });

  test('has the price of its pool watched for the window of the reference before, where SOL is paid', async () => {
    const watched = async (before: number, events: readonly TokenEvent[] = [tokenCreated]) => {
      const { look } = await open({ of: [], events });
      const wanted: string[] = [];
      await look({
        clock: { now: () => new Date(OPENS_AT - before) },
        prices: { want: (mint) => wanted.push(mint), of: () => undefined },
      });
      return wanted;
    };
    expect(await watched(REFERENCE_WINDOW)).toEqual([]);
    expect(await watched(REFERENCE_WINDOW - 1)).toEqual([TOKEN.mint]);
    expect(await watched(1)).toEqual([TOKEN.mint]);
    expect(await watched(1, [tokenCreated, updated({ rewardToken: 'SELF' })])).toEqual([]);
  });

  test('is not looked for twice', async () => {
    const { look, memory } = await open({ of: [] });
    memory.opening.handled = NOW.getTime() + HOUR;
    expect(await look({ clock: later })).toMatchObject(IDLE);
  });

  test('is not looked for where the token did not move since the last look', async () => {
    const { look, memory } = await open({ of: [] });
    memory.opening.activity = signatures.first;
    const node = { signaturesOf: async () => [historyEntry(signatures.first)] };
    expect(await look({ clock: later, node })).toEqual({
      step: 'idle',
      decision: waitingFor(undefined, 1_000),
    });
    expect(memory.opening.handled).toBe(NOW.getTime() + HOUR);
  });

  test('is looked for again where the token has moved, and that look is remembered', async () => {
    const { look, memory } = await open({ of: [] });
    memory.opening.activity = signatures.second;
    const node = { signaturesOf: async () => [historyEntry(signatures.first)] };
    expect(await look({ clock: later, node })).toMatchObject(WORTH);
    expect(memory.opening.activity).toBe(signatures.first);
  });

  test('is looked for where no transaction of the token is shown, and what was seen before stays known', async () => {
    const { look, memory } = await open({ of: [] });
    memory.opening.activity = signatures.first;
    expect(await look({ clock: later })).toMatchObject(WORTH);
    expect(memory.opening.activity).toBe(signatures.first);
  });
});

describe('a run that somebody asked for', () => {
  test('takes the place of one that was due already, and of none that is still to come', async () => {
    const dueAt = async (at: number) => {
      const { look } = await open();
      return dueAtOf(look({ clock: { now: () => new Date(at) } }));
    };
    const early = NOW.getTime() - HOUR / 2;
    expect(await dueAt(early)).toBe(early);
    expect(await dueAt(NOW.getTime() + 1_000)).toBe(NOW.getTime());
  });

  test('waits for the transfer that was the newest when it was asked for, not for later ones', async () => {
    const { look, memory } = await open();
    const asked: (readonly string[])[] = [];
    const node = (newest: string, commitment: 'confirmed' | 'finalized') => ({
      signaturesOf: async () => [historyEntry(newest)],
      async statuses(of: readonly string[]) {
        asked.push(of);
        return [{ slot: 4_100, error: undefined, commitment }];
      },
    });
    expect(await look({ node: node(signatures.first, 'confirmed') })).toEqual({
      step: 'consider',
      decision: waitingFor(waitFor('finality', 'The latest transfers of the token are not final yet.'), 400),
    });
    expect(memory.opening.awaited).toBe(signatures.first);
    expect(await look({ node: node(signatures.second, 'finalized') })).toMatchObject(WORTH);
    expect(memory.opening.awaited).toBeUndefined();
    expect(asked).toEqual([[signatures.first], [signatures.first]]);
  });
});

test('a run is opened with what is to stay as it is until it is closed', async () => {
  const { token } = tokenCreated.data;
  const created = TokenCreated({ ...tokenCreated.data, token: { ...token, partner: 'acme' } });
  const events = [created, updated({ telegramGroupId: 'group' })];
  const of = [runOpened, runClosed, RunRequested({ tokenId, reason: 'Now.' })];
  const { look, memory } = await open({ events, of });
  const { step, decision } = await look();
  const [recorded] = recordedBy(decision);
  if (recorded?.type !== 'RunOpened') throw new Error('a run is opened');
  expect([step, decision.kind]).toEqual(['consider', 'record-of-token']);
  expect(recorded.data).toMatchObject({
    tokenId,
    number: 2,
    mint: token.mintAddress,
    decimals: 6,
    walletId: ids.walletId,
    distributionWallet: token.distributionWallet,
    requested: true,
    asset: 'sol',
    epoch: '702',
    tax: {
      older: { epoch: '700', basisPoints: 300, maximumFee: '1000000000' },
      newer: { epoch: '702', basisPoints: 300, maximumFee: '1000000000' },
    },
    owners: { excludedOwners: [], allowedOwners: [] },
    carried: runClosed.data.carried,
    partner: 'acme',
  });
  expect(recorded.data.runId).not.toBe(runId);
  expect([recorded.data, memory.scan]).toMatchObject([{ runId: memory.runId }, SCAN]);
  expect(recorded.data.settings).not.toHaveProperty('telegramGroupId');
  expect(stateAfter(runOpened, runClosed, recorded).requested).toBeUndefined();
});
