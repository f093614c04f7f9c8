/**
 * One wallet, one token: whoever is killed after whichever append, in whatever order drafts are made and submitted, and whatever becomes of
 * submissions on the chain. The command that makes drafts is defined as the real ones are, with an empty transaction and a
 * chain that takes it.
 */
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { claimWallet, usableWallet } from '../../../src/drafts/claim-wallet.ts';
import { defineDraft } from '../../../src/drafts/define-draft.ts';
import { tokenCreation } from '../../../src/drafts/purposes/token-creation-behaviour.ts';
import { requireOpen } from '../../../src/drafts/require-draft.ts';
import type { DraftServices } from '../../../src/drafts/services.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { Clock } from '../../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor, type Executor } from '../../../src/kernel/runtime/execute.ts';
import { commandIdFor, deriveId } from '../../../src/kernel/runtime/ids.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { createCommandRunner } from '../../../src/kernel/runtime/run-command.ts';
import { DistributionWalletGenerated, distributionWallet } from '../../../src/streams/distribution-wallet.ts';
import { draft } from '../../../src/streams/draft.ts';
import { DraftExpired, SubmissionAccepted, SubmissionFailed } from '../../../src/streams/draft-events.ts';
import { type DraftState, isUnderWay } from '../../../src/streams/draft-state.ts';
import { streams } from '../../../src/streams/index.ts';
import { causeOf } from '../../support/counter.ts';
import { acceptedSubmission, addresses, token } from '../../support/domain-examples.ts';
import { createOrder, killedAfter } from '../../support/interleaving.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
/** More than any of the calls asks of the store. */
const STEPS = 18;

const codec = createEventCodec(streams);

const createForWallet = defineDraft({
  name: 'CreateForWallet',
  summary: 'As create-unsigned checks, records and replaces',
  description: '',
  route: { url: '/create', limit: 'create-unsigned' },
  input: { body: Type.Object({ walletId: Type.String() }) },
  output: Type.Object({ transactionId: Type.String() }),
  rejections: ['WALLET_ALREADY_USED', 'WALLET_NOT_FOUND'],
  sentBy: 'service',
  purpose: tokenCreation,
  async plan({ body: { walletId } }, { services, transactionId, creator }) {
    await usableWallet(services.executor, { walletId, transactionId, creator });
    return { subject: { ...token, walletId }, instructions: [], payments: 0n, writable: [] };
  },
  replaces: ({ walletId }, other) => other.kind === 'token-creation' && other.walletId === walletId,
  answer: ({ transactionId }) => ({ transactionId }),
});

/** The open drafts of a creator, as a read model shows them. */
type Find = (creator: string) => Promise<readonly object[]>;

/** What the command asks of the service besides the log: a chain that takes everything, and one nonce account each. */
function servicesOn(executor: Executor, clock: Clock, find: Find): DraftServices {
  return {
    executor,
    clock,
    policy: {
      draftLifetimeKind: 'durable-nonce',
      openDraftsPerWallet: 3,
      draftLifetimeMs: 300_000,
      priorityFeeMax: 1n,
    },
    readModelsCaughtUp: async () => {},
    readModel: { find: (_projection: object, _index: string, creator: string) => find(creator) },
    keyring,
    chain: {
      rentExemption: async () => 0n,
      recentPrices: async () => [],
      balance: async () => 1_000_000_000n,
      simulate: async () => ({ slot: 500n, error: undefined, logs: [], unitsConsumed: 1_000 }),
    },
    nonces: {
      requireFunded: async () => {},
      lease: async () => ({
        account: addresses.nonceAccount,
        value: addresses.nonceValue,
        giveBack: async () => {},
      }),
    },
  } as unknown as DraftServices;
}

type Kind = 'create' | 'submit' | 'fail' | 'expire';

/** Acts of a process on a draft, keyed by the name that it has here. */
type Process = { readonly [kind in Kind]: (name: string, creator?: string) => Promise<string> };

const CREATORS = [addresses.creator, addresses.otherCreator];
const NAMES = ['first', 'second', 'third', 'last'];

/** Of the test that runs; each scene in it has a wallet of its own. */
let store: EventStore;
let wallets = 0;

/** `isProjected`: whether the read model shows the drafts that there are, so that replaced ones are ended. */
async function scene({ isShown = true }: { readonly isShown?: boolean } = {}) {
  wallets += 1;
  const walletId = deriveId('test wallet', `${wallets}`);
  let now = Date.parse('2026-05-04T10:00:00.000Z');
  const clock: Clock = {
    now: () => {
      now += 1;
      return new Date(now);
    },
  };
  const plain = createExecutor(store, codec, clock);
  await plain.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletGenerated({ walletId, address: addresses.distributionWallet }),
  ]);
  const idOf = (name: string, creator: string = addresses.creator) =>
    deriveId('draft', commandIdFor(creator, 'POST /create', `${name} of ${walletId}`));

  const find: Find = async (creator) => {
    if (!isShown) return [];
    const loaded = await Promise.all(
      NAMES.map(async (name) => ({
        transactionId: idOf(name, creator),
        ...(await plain.load(draft, idOf(name, creator))),
      })),
    );
    return loaded.flatMap(({ transactionId, state, events }) =>
      state.status === 'open'
        ? [{ transactionId, issued: state.issued, createdAt: events.at(-1)?.metadata.occurredAt }]
        : [],
    );
  };

  function process(on: EventStore = store): Process {
    const executor = createExecutor(on, codec, clock);
    const run = createCommandRunner(executor, servicesOn(executor, clock, find));
    const outcome = (work: Promise<unknown>, done: string) =>
      work.then(
        () => done,
        (error: unknown) => {
          if (error instanceof Rejection) return error.code;
          throw error;
        },
      );
    const ends =
      (by: (transactionId: string, state: DraftState) => boolean, event: typeof EXPIRED) =>
      async (name: string, creator?: string) => {
        const transactionId = idOf(name, creator);
        const { recorded } = await executor.execute(draft, transactionId, causeOf(), (state) =>
          by(transactionId, state) ? [event(transactionId)] : [],
        );
        return recorded.length > 0 ? 'ended' : 'nothing';
      };
    return {
      create: (name, creator = addresses.creator) => {
        const call = { actor: creator, requestId: 'request', idempotencyKey: `${name} of ${walletId}` };
        const input = { params: {}, query: {}, body: { walletId } };
        return outcome(createForWallet.run(run, input, call), 'created');
      },
      submit: (name, creator = addresses.creator) => {
        const transactionId = idOf(name, creator);
        return outcome(submitDraft(executor, clock, { walletId, transactionId, creator }), 'accepted');
      },
      fail: ends((_id, { status }) => status === 'submitted', FAILED),
      expire: ends((_id, { status }) => status === 'open', EXPIRED),
    };
  }

  return {
    process,
    idOf,
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

const EXPIRED = (
  transactionId: string,
): ReturnType<typeof DraftExpired> | ReturnType<typeof SubmissionFailed> => DraftExpired({ transactionId });
const FAILED: typeof EXPIRED = (transactionId) =>
  SubmissionFailed({ transactionId, code: 'TRANSACTION_EXPIRED', message: 'Too late.', logs: [] });

type Scene = Awaited<ReturnType<typeof scene>>;

/** As a submission does once the signed transaction was checked and simulated. */
async function submitDraft(
  executor: Executor,
  clock: Clock,
  request: { readonly walletId: string; readonly transactionId: string; readonly creator: string },
): Promise<void> {
  const { transactionId } = request;
  const { state: before } = await executor.load(draft, transactionId);
  if (isUnderWay(before)) return;
  const now = clock.now().toISOString();
  requireOpen(before, now);
  await claimWallet(executor, request, causeOf());
  await executor.execute(draft, transactionId, causeOf(), (state) => {
    if (isUnderWay(state)) return [];
    requireOpen(state, now);
    return [SubmissionAccepted({ ...acceptedSubmission, transactionId })];
  });
}

/** Holds at any time: only the draft that claimed the wallet last may become its token. */
function expectSound(events: readonly RecordedEvent[]): void {
  let holder: unknown;
  const living = new Set<unknown>();
  const issued = new Set<unknown>();
  for (const { type, data } of events) {
    if (type === 'DraftIssued') issued.add(data.transactionId);
    if (type === 'DistributionWalletClaimed') {
      expect([...living], 'drafts that may become the token of a wallet that is taken over').toEqual([]);
      holder = data.transactionId;
    }
    if (type === 'SubmissionAccepted') {
      expect(data.transactionId, 'an accepted draft').toBe(holder);
      living.add(data.transactionId);
      expect(living.size, 'submissions under way for one wallet').toBe(1);
    }
    if (type === 'SubmissionFailed') living.delete(data.transactionId);
    if (type === 'DraftSuperseded')
      expect(issued, 'a draft ended by one that is not recorded').toContain(data.by);
  }
}

/** From here the wallet is still usable: once the open drafts have ended without a token, the next one becomes a token. */
async function expectGoingOn(at: Scene): Promise<void> {
  const live = at.process();
  const each = NAMES.slice(0, 3).flatMap((name) => CREATORS.map((creator) => [name, creator] as const));
  const isUsed = async () =>
    (await Promise.all(each.map((one) => at.stateOf(...one)))).some(({ status }) => status === 'submitted');
  for (const [name, creator] of each) await live.submit(name, creator);
  if (await isUsed()) {
    expect(await live.create('last')).toBe('WALLET_ALREADY_USED');
    for (const one of each) await live.fail(...one);
  }
  for (const one of each) await live.expire(...one);
  expect(await live.create('last')).toBe('created');
  expect(await live.submit('last')).toBe('accepted');
  expect(await live.submit('last')).toBe('accepted');
  expectSound(await at.log());
}

interface Call {
  readonly kind: Kind;
  readonly name: string;
}

const CALLS: readonly Call[] = [
  { kind: 'create', name: 'second' },
  { kind: 'create', name: 'third' },
  { kind: 'submit', name: 'first' },
  { kind: 'submit', name: 'second' },
  { kind: 'submit', name: 'third' },
  { kind: 'fail', name: 'first' },
  { kind: 'fail', name: 'second' },
  { kind: 'expire', name: 'first' },
  { kind: 'expire', name: 'second' },
];

test('several processes at once never submit two drafts of one wallet, in whatever order they get on and whichever are killed', async () => {
  store = await temporaryEventStore();
  const attempt = fc.record({
    call: fc.constantFrom<Call>({ kind: 'create', name: 'first' }, ...CALLS),
    steps: fc.oneof({ weight: 3, arbitrary: fc.constant(1_000) }, fc.integer({ min: 0, max: STEPS })),
  });
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(attempt, { minLength: 2, maxLength: 4 }),
    fc.boolean(),
    async (scheduler, attempts, isShown) => {
      const at = await scene({ isShown });
      await at.process().create('first');
      const order = createOrder(scheduler);
      const outcomes = attempts.map(({ call: { kind, name }, steps }, place) =>
        at.process(killedAfter(steps, order.of(`${place}`, store)))[kind](name),
      );
      await order.play();
      const answers = await Promise.all(outcomes.map((outcome) => Promise.race([outcome, 'killed'])));
      expectSound(await at.log());
      for (const answer of answers)
        expect([
          'created',
          'accepted',
          'ended',
          'nothing',
          'killed',
          'WALLET_ALREADY_USED',
          'CONCURRENT_CHANGE',
          'TRANSACTION_EXPIRED',
          'TRANSACTION_SUPERSEDED',
        ]).toContain(answer);
      await expectGoingOn(at);
    },
  );
  await fc.assert(property, { seed: 20_261_122, numRuns: 200, endOnFailure: true });
});
