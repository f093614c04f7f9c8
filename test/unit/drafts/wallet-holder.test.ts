/**
 * One wallet, one token: whoever is killed after whichever append, and in whatever order drafts are made and submitted.
 * The command that makes drafts is defined as the real ones are, with an empty transaction and a chain that takes it.
 */
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { defineDraft } from '../../../src/drafts/define-draft.ts';
import { tokenCreation } from '../../../src/drafts/purposes/token-creation.ts';
import type { DraftServices } from '../../../src/drafts/services.ts';
import { superseded } from '../../../src/drafts/superseded.ts';
import { createWalletClaims } from '../../../src/drafts/wallet-claim.ts';
import { holdWallet, replaceEarlier } from '../../../src/drafts/wallet-holder.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { Clock } from '../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor, type Executor } from '../../../src/kernel/runtime/execute.ts';
import { commandIdFor, deriveId } from '../../../src/kernel/runtime/ids.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { createCommandRunner } from '../../../src/kernel/runtime/run-command.ts';
import { DistributionWalletGenerated, distributionWallet } from '../../../src/streams/distribution-wallet.ts';
import { draft } from '../../../src/streams/draft.ts';
import { SubmissionAccepted } from '../../../src/streams/draft-events.ts';
import { type DraftState, isUnderWay } from '../../../src/streams/draft-state.ts';
import { streams } from '../../../src/streams/index.ts';
import { causeOf } from '../../support/counter.ts';
import { acceptedSubmission, addresses, token } from '../../support/domain-examples.ts';
import { createOrder, killedAfter } from '../../support/interleaving.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const CLAIM_LAPSE = 30_000;
/** More than any of the calls asks of the store. */
const STEPS = 22;

const codec = createEventCodec(streams);

const createForWallet = defineDraft({
  name: 'CreateForWallet',
  summary: 'As create-unsigned claims, records and replaces',
  description: '',
  route: { url: '/create', limit: 'create-unsigned' },
  input: { body: Type.Object({ walletId: Type.String() }) },
  output: Type.Object({ transactionId: Type.String() }),
  rejections: ['WALLET_ALREADY_USED', 'WALLET_NOT_FOUND'],
  sentBy: 'service',
  purpose: tokenCreation,
  async plan({ body: { walletId } }, { services, transactionId, creator, cause }) {
    const claim = { walletId, transactionId, creator };
    await services.walletClaims.check(claim);
    return {
      subject: { ...token, walletId },
      instructions: [],
      payments: 0n,
      writable: [],
      claim: () => services.walletClaims.claim(claim, cause),
    };
  },
  replace: ({ transactionId, creator, subject: { walletId } }, { services, cause }) =>
    replaceEarlier(services.executor, { walletId, transactionId, creator }, cause),
  answer: ({ transactionId }) => ({ transactionId }),
});

/** What the command asks of the service besides the log: a chain that takes everything, and one nonce account each. */
function servicesOn(
  executor: Executor,
  clock: Clock,
  leases: { given: number; back: number },
): DraftServices {
  return {
    executor,
    clock,
    policy: {
      draftLifetimeKind: 'durable-nonce',
      openDraftsPerWallet: 3,
      draftLifetime: 300_000,
      maxComputeUnitPrice: 1n,
    },
    readModelsCaughtUp: async () => {},
    readModel: { find: async () => [] },
    keyring,
    walletClaims: createWalletClaims({ executor, clock, claimLapse: CLAIM_LAPSE }),
    chain: {
      rentExemption: async () => 0n,
      recentPrices: async () => [],
      balance: async () => 1_000_000_000n,
      simulate: async () => ({ slot: 500n, error: undefined, logs: [], unitsConsumed: 1_000 }),
    },
    nonces: {
      requireFunded: async () => {},
      async lease() {
        leases.given += 1;
        return {
          account: addresses.nonceAccount,
          value: addresses.nonceValue,
          giveBack: async () => {
            leases.back += 1;
          },
        };
      },
    },
  } as unknown as DraftServices;
}

interface Process {
  create(name: string, creator?: string): Promise<string>;
  submit(name: string, creator?: string): Promise<string>;
}

/** Of the test that runs; each scene in it has a wallet of its own. */
let store: EventStore;
let wallets = 0;

async function scene() {
  wallets += 1;
  const walletId = deriveId('test wallet', `${wallets}`);
  const leases = { given: 0, back: 0 };
  let now = Date.parse('2026-05-04T10:00:00.000Z');
  const clock: Clock = { now: () => new Date(now) };
  const plain = createExecutor(store, codec, clock);
  await plain.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletGenerated({ walletId, address: addresses.distributionWallet }),
  ]);
  const idOf = (name: string, creator: string = addresses.creator) =>
    deriveId('draft', commandIdFor(creator, 'POST /create', `${name} of ${walletId}`));

  function process(on: EventStore = store): Process {
    const executor = createExecutor(on, codec, clock);
    const run = createCommandRunner(executor, servicesOn(executor, clock, leases));
    const outcome = (work: Promise<unknown>, done: string) =>
      work.then(
        () => done,
        (error: unknown) => {
          if (error instanceof Rejection) return error.code;
          throw error;
        },
      );
    return {
      create: (name, creator = addresses.creator) => {
        const call = { actor: creator, requestId: 'request', idempotencyKey: `${name} of ${walletId}` };
        const input = { params: {}, query: {}, body: { walletId } };
        return outcome(createForWallet.run(run, input, call), 'created');
      },
      submit: (name, creator = addresses.creator) => {
        const transactionId = idOf(name, creator);
        return outcome(submitDraft(executor, { walletId, transactionId, creator }), 'accepted');
      },
    };
  }

  return {
    process,
    leases,
    idOf,
    later: (milliseconds: number) => {
      now += milliseconds;
    },
    stateOf: async (name: string, creator?: string): Promise<DraftState> =>
      (await plain.load(draft, idOf(name, creator))).state,
    async log(): Promise<readonly RecordedEvent[]> {
      const drafts = NAMES.flatMap((name) => CREATORS.map((creator) => `draft-${idOf(name, creator)}`));
      const events: RecordedEvent[] = [];
      for (const stream of [`wallet-${walletId}`, ...drafts]) {
        for await (const event of store.read(stream)) events.push(event);
      }
      return events.toSorted((one, other) => (one.position < other.position ? -1 : 1));
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const CREATORS = [addresses.creator, addresses.otherCreator];
const NAMES = ['first', 'second', 'third', 'last'];

/** As a submission does once the signed transaction was checked and simulated. */
async function submitDraft(
  executor: Executor,
  request: { readonly walletId: string; readonly transactionId: string; readonly creator: string },
): Promise<void> {
  const { transactionId } = request;
  const requireOpen = (state: DraftState) => {
    if (state.status === 'superseded') throw superseded();
    if (state.status !== 'open') throw new Rejection('TRANSACTION_NOT_FOUND', 'not-found', 'It is not open.');
  };
  const { state: before } = await executor.load(draft, transactionId);
  if (isUnderWay(before)) return;
  requireOpen(before);
  await holdWallet(executor, request, causeOf());
  await executor.execute(draft, transactionId, causeOf(), (state) => {
    if (isUnderWay(state)) return [];
    requireOpen(state);
    return [SubmissionAccepted({ ...acceptedSubmission, transactionId })];
  });
}

/** What must be true of a wallet at any time. */
function expectSound(events: readonly RecordedEvent[]): void {
  const accepted = events.filter(({ type }) => type === 'SubmissionAccepted');
  expect(accepted.length, 'submissions accepted for one wallet').toBeLessThanOrEqual(1);
  const issued = new Set(
    events.filter(({ type }) => type === 'DraftIssued').map(({ data }) => data.transactionId),
  );
  for (const { type, data } of events) {
    if (type === 'DraftSuperseded')
      expect(issued, 'a draft ended by one that is not recorded').toContain(data.by);
  }
}

/** Whoever goes on from here gets on: an open draft is submitted, and the wallet is then used for good. */
async function expectGoingOn(at: Scene): Promise<void> {
  const live = at.process();
  const states = await Promise.all(NAMES.slice(0, 3).map((name) => at.stateOf(name)));
  const wasOpen = states.some(({ status }) => status === 'open');
  const wasAccepted = states.some(isUnderWay);
  const answers: string[] = [];
  for (const [index, name] of NAMES.slice(0, 3).entries()) {
    const { status } = await at.stateOf(name);
    const answer = await live.submit(name);
    answers.push(answer);
    if (states[index]?.status === 'open' && answer === 'TRANSACTION_SUPERSEDED') {
      const superseding = (await at.log()).filter(
        ({ type, data }) => type === 'DraftSuperseded' && data.transactionId === at.idOf(name),
      );
      expect(superseding, `${name} was ${status} and is superseded by a recorded draft`).toHaveLength(1);
    }
  }
  const accepted = answers.filter((answer) => answer === 'accepted').length;
  expect(accepted, answers.join()).toBe(wasOpen || wasAccepted ? 1 : 0);
  const last = await live.create('last');
  expect(last).toBe(accepted === 1 ? 'WALLET_ALREADY_USED' : 'created');
  expectSound(await at.log());
}

const killed = (work: Promise<string>): Promise<string> =>
  Promise.race([work, settledTurns().then(() => 'killed')]);

/** A killed process hangs at its next call of the store; everybody else is done after so many turns of the loop. */
async function settledTurns(): Promise<void> {
  for (let turn = 0; turn < 150; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a draft for a wallet that has an open one', () => {
  test('takes its place once it is recorded', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    const { create, submit } = at.process();
    expect([await create('first'), await create('second')]).toEqual(['created', 'created']);
    const types = (await at.log()).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['DistributionWalletClaimed', 'DraftIssued', 'DraftSuperseded']);
    expect(await submit('first')).toBe('TRANSACTION_SUPERSEDED');
    expect(await submit('second')).toBe('accepted');
    expect(await submit('second')).toBe('accepted');
  });

  test('is refused without a trace once that one is submitted', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    const { create, submit } = at.process();
    await create('first');
    await submit('first');
    const before = await at.log();
    expect(await create('second')).toBe('WALLET_ALREADY_USED');
    expect(await create('second', addresses.otherCreator)).toBe('WALLET_ALREADY_USED');
    expect(await at.log()).toEqual(before);
    expect(at.leases.given).toBe(1);
  });

  test('is refused without a trace to another creator, also after a claim of nothing has lapsed', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    await at.process().create('first');
    // Killed right after its claim.
    void at.process(killedAfterAppend('DistributionWalletClaimed')).create('second');
    await settledTurns();
    at.later(CLAIM_LAPSE);
    const before = await at.log();
    expect(await at.process().create('third', addresses.otherCreator)).toBe('WALLET_ALREADY_USED');
    expect(await at.log()).toEqual(before);
    expect(await at.process().submit('first')).toBe('accepted');
  });

  test('gives its nonce account back at once when the claim is refused', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    let isForestalled = false;
    const forestalled: EventStore = {
      ...store,
      async append(stream, expected, events) {
        if (!isForestalled && events.some(({ type }) => type === 'DistributionWalletClaimed')) {
          isForestalled = true;
          expect(await at.process().create('first', addresses.otherCreator)).toBe('created');
        }
        return store.append(stream, expected, events);
      },
    };
    expect(await at.process(forestalled).create('second')).toBe('CONCURRENT_CHANGE');
    expect(at.leases).toEqual({ given: 2, back: 1 });
    expect((await at.log()).filter(({ type }) => type === 'DistributionWalletClaimed')).toHaveLength(1);
  });

  test('that was never recorded is fenced off by the submission of the open one', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    await at.process().create('first');
    let arrive = () => {};
    let goOn = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow: EventStore = {
      ...store,
      async append(stream, expected, events) {
        if (events.some(({ type }) => type === 'DraftIssued')) {
          arrive();
          await going;
        }
        return store.append(stream, expected, events);
      },
    };
    const late = at.process(slow).create('second');
    await arrived;
    expect(await at.process().submit('first')).toBe('accepted');
    goOn();
    expect(await late).toBe('CONCURRENT_CHANGE');
    expect(await at.process().create('second')).toBe('WALLET_ALREADY_USED');
    expectSound(await at.log());
  });

  test('that is recorded while the open one is being accepted loses, and is ended', async () => {
    store = await temporaryEventStore();
    const at = await scene();
    await at.process().create('first');
    let isForestalled = false;
    let created = '';
    const forestalled: EventStore = {
      ...store,
      async append(stream, expected, events) {
        if (events.some(({ type }) => type === 'DraftSuperseded') && !isForestalled) {
          isForestalled = true;
          goOn();
          created = await accepted;
        }
        return store.append(stream, expected, events);
      },
    };
    let goOn = () => {};
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const accepting: EventStore = {
      ...store,
      async append(stream, expected, events) {
        arrive();
        await going;
        return store.append(stream, expected, events);
      },
    };
    const accepted = at.process(accepting).submit('first');
    await arrived;
    expect(await at.process(forestalled).create('second')).toBe('WALLET_ALREADY_USED');
    expect(created).toBe('accepted');
    expect((await at.stateOf('second')).status).toBe('superseded');
    expect(await at.process().create('second'), 'the same call again').toBe('WALLET_ALREADY_USED');
    expectSound(await at.log());
  });
});

/** The store to a process that is killed once it has appended an event of the type. */
function killedAfterAppend(type: string): EventStore {
  return {
    ...store,
    async append(stream, expected, events) {
      const result = await store.append(stream, expected, events);
      if (events.some((event) => event.type === type)) await new Promise<never>(() => {});
      return result;
    },
  };
}

describe('killed after anything that it asked of the store,', () => {
  const calls = [
    ['create', 'second'],
    ['submit', 'first'],
  ] as const;
  const followers = [
    ['submit', 'first'],
    ['submit', 'second'],
    ['create', 'second'],
    ['create', 'third'],
  ] as const;
  const cases = calls.flatMap((call) => followers.map((follower) => [...call, ...follower] as const));

  test.each(
    cases,
  )('%s %s leaves a state from which %s %s, killed anywhere as well, and all others go right', async (call, name, then, other) => {
    store = await temporaryEventStore();
    // Later cuts kill the call no more either, so that the same would happen once more.
    let isWhole = false;
    for (let cut = 0; cut <= STEPS; cut += 1) {
      for (const again of isWhole ? [cut % 13] : [STEPS, cut % 13]) {
        const at = await scene();
        await at.process().create('first');
        const one = at.process(killedAfter(cut, store))[call](name);
        isWhole = (await killed(one)) !== 'killed';
        expectSound(await at.log());
        await killed(at.process(killedAfter(again, store))[then](other));
        expectSound(await at.log());
        await expectGoingOn(at);
      }
    }
  });
});

interface Call {
  readonly kind: 'create' | 'submit';
  readonly name: string;
}

test('a submission that is stopped anywhere on its way, and goes on later, is refused if another draft was submitted', async () => {
  store = await temporaryEventStore();
  const meanwhile = fc.record({
    call: fc.constantFrom<Call>(
      { kind: 'create', name: 'second' },
      { kind: 'create', name: 'third' },
      { kind: 'submit', name: 'second' },
      { kind: 'submit', name: 'third' },
    ),
    steps: fc.oneof(fc.constant(1_000), fc.integer({ min: 8, max: STEPS })),
  });
  const property = fc.asyncProperty(
    fc.integer({ min: 0, max: 12 }),
    fc.array(meanwhile, { minLength: 2, maxLength: 5 }),
    async (steps, calls) => {
      const at = await scene();
      await at.process().create('first');
      let goOn = () => {};
      const going = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const stopped = at.process(stoppedAfter(steps, store, going)).submit('first');
      await settledTurns();
      for (const { call, steps: untilKilled } of calls) {
        await killed(at.process(killedAfter(untilKilled, store))[call.kind](call.name));
      }
      goOn();
      await stopped;
      expectSound(await at.log());
      await expectGoingOn(at);
    },
  );
  await fc.assert(property, { seed: 20_261_122, numRuns: 250, endOnFailure: true });
});

/** The store to a process that hangs when it has asked for so much, until it goes on. */
function stoppedAfter(steps: number, on: EventStore, going: Promise<void>): EventStore {
  let left = steps;
  const live = async () => {
    left -= 1;
    if (left < 0) await going;
  };
  return {
    ...on,
    async append(stream, expected, events) {
      await live();
      return on.append(stream, expected, events);
    },
    async *read(stream, from) {
      await live();
      yield* on.read(stream, from);
    },
  };
}

test('several processes at once never submit two drafts of one wallet, in whatever order they get on and whichever are killed', async () => {
  store = await temporaryEventStore();
  const attempt = fc.record({
    call: fc.constantFrom<Call>(
      { kind: 'create', name: 'first' },
      { kind: 'create', name: 'second' },
      { kind: 'create', name: 'third' },
      { kind: 'submit', name: 'first' },
      { kind: 'submit', name: 'first' },
      { kind: 'submit', name: 'second' },
    ),
    steps: fc.oneof({ weight: 3, arbitrary: fc.constant(1_000) }, fc.integer({ min: 0, max: STEPS })),
  });
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(attempt, { minLength: 2, maxLength: 4 }),
    async (scheduler, attempts) => {
      const at = await scene();
      await at.process().create('first');
      const order = createOrder(scheduler);
      const outcomes = attempts.map(({ call: { kind, name }, steps }, place) =>
        at.process(killedAfter(steps, order.of(`${place}`, store)))[kind](name),
      );
      await order.play();
      const answers = await Promise.all(outcomes.map((outcome) => Promise.race([outcome, 'killed'])));
      expectSound(await at.log());
      for (const [index, answer] of answers.entries()) {
        const { kind, name } = attempts[index]?.call ?? { kind: 'create', name: '' };
        expect([
          'created',
          'accepted',
          'killed',
          'WALLET_ALREADY_USED',
          'CONCURRENT_CHANGE',
          'TRANSACTION_SUPERSEDED',
          'TRANSACTION_NOT_FOUND',
        ]).toContain(answer);
        // A draft that was refused to its caller is not left open, unless the same call was served elsewhere.
        const isServed = attempts.some(
          (each, other) =>
            each.call.kind === 'create' && each.call.name === name && answers[other] !== answer,
        );
        if (kind === 'create' && answer === 'WALLET_ALREADY_USED' && !isServed)
          expect(['absent', 'superseded']).toContain((await at.stateOf(name)).status);
      }
      await expectGoingOn(at);
    },
  );
  await fc.assert(property, { seed: 20_261_122, numRuns: 200, endOnFailure: true });
});
