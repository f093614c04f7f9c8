/**
 * One wallet, one token: whoever is killed after whichever append, and in whatever order drafts are made and submitted. The command
 * that makes drafts is defined as the real ones are, with an empty transaction and a chain that takes it.
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
import { SubmissionAccepted } from '../../../src/streams/draft-events.ts';
import { isUnderWay } from '../../../src/streams/draft-state.ts';
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
  replaces: () => false,
  answer: ({ transactionId }) => ({ transactionId }),
});

/** What the command asks of the service besides the log: a chain that takes everything, and one nonce account each. */
function servicesOn(executor: Executor, clock: Clock): DraftServices {
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
    readModel: { find: async () => [] },
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

const NAMES = ['first', 'second', 'third'];

/** Of the test that runs; each scene in it has a wallet of its own. */
let store: EventStore;
let wallets = 0;

async function scene() {
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
  const creator = addresses.creator;
  const idOf = (name: string) =>
    deriveId('draft', commandIdFor(creator, 'POST /create', `${name} of ${walletId}`));

  function process(on: EventStore = store) {
    const executor = createExecutor(on, codec, clock);
    const run = createCommandRunner(executor, servicesOn(executor, clock));
    const outcome = (work: Promise<unknown>, done: string) =>
      work.then(
        () => done,
        (error: unknown) => {
          if (error instanceof Rejection) return error.code;
          throw error;
        },
      );
    return {
      create(name: string) {
        const call = { actor: creator, requestId: 'request', idempotencyKey: `${name} of ${walletId}` };
        return outcome(
          createForWallet.run(run, { params: {}, query: {}, body: { walletId } }, call),
          'created',
        );
      },
      submit: (name: string) =>
        outcome(submitDraft(executor, clock, { walletId, transactionId: idOf(name), creator }), 'accepted'),
    };
  }

  return {
    process,
    async log(): Promise<readonly RecordedEvent[]> {
      const drafts = NAMES.map((name) => `draft-${idOf(name)}`);
      const events: RecordedEvent[] = [];
      for (const stream of [`wallet-${walletId}`, ...drafts]) {
        for await (const event of store.read(stream)) events.push(event);
      }
      return events.toSorted((one, other) => (one.position < other.position ? -1 : 1));
    },
  };
}

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

/** Holds at any time: only the draft that holds the wallet is accepted, and no wallet is taken over from an accepted one. */
function expectSound(events: readonly RecordedEvent[]): void {
  let holder: unknown;
  let accepted = 0;
  for (const { type, data } of events) {
    if (type === 'DistributionWalletClaimed') {
      expect(accepted, 'drafts that may become the token of a wallet that is taken over').toBe(0);
      holder = data.transactionId;
    }
    if (type === 'SubmissionAccepted') {
      expect(data.transactionId, 'an accepted draft').toBe(holder);
      accepted += 1;
    }
  }
  expect(accepted, 'submissions for one wallet').toBeLessThanOrEqual(1);
}

const CALLS = NAMES.flatMap((name) => (['create', 'submit'] as const).map((kind) => ({ kind, name })));

test('several processes at once never submit two drafts of one wallet, in whatever order they get on and whichever are killed', async () => {
  store = await temporaryEventStore();
  const attempt = fc.record({
    call: fc.constantFrom(...CALLS),
    steps: fc.oneof({ weight: 3, arbitrary: fc.constant(1_000) }, fc.integer({ min: 0, max: STEPS })),
  });
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(attempt, { minLength: 2, maxLength: 4 }),
    async (scheduler, attempts) => {
      const at = await scene();
      for (const name of NAMES) await at.process().create(name);
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
          'killed',
          'WALLET_ALREADY_USED',
          'CONCURRENT_CHANGE',
          'TRANSACTION_EXPIRED',
          'TRANSACTION_SUPERSEDED',
        ]).toContain(answer);
      // The wallet is still usable: one of its drafts becomes the token.
      await at.process().create('first');
      for (const name of NAMES) await at.process().submit(name);
      const events = await at.log();
      expectSound(events);
      expect(events.map(({ type }) => type)).toContain('SubmissionAccepted');
    },
  );
  await fc.assert(property, { seed: 20_261_122, numRuns: 200, endOnFailure: true });
});
