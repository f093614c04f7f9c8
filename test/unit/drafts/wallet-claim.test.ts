// Who may claim a wallet, by what became of the draft that holds it, and what a claim leaves behind.
import { expect, test } from 'vitest';
import { createWalletClaims } from '../../../src/drafts/wallet-claim.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import {
  DistributionWalletClaimed,
  DistributionWalletGenerated,
  distributionWallet,
} from '../../../src/streams/distribution-wallet.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  DraftCancelled,
  type DraftEvent,
  DraftExpired,
  DraftSuperseded,
} from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import { causeOf } from '../../support/counter.ts';
import {
  addresses,
  draftIssued,
  ids,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const { walletId, transactionId } = ids;
const { creator, otherCreator } = addresses;
const LAPSE = 30_000;
const OTHER_DRAFT = deriveId('another draft');

/** What another process does right before something is recorded in a stream of this category. */
type Before = (category: string, executor: ReturnType<typeof createExecutor>) => Promise<unknown>;

/** A wallet that the creator's draft holds, of which this was recorded, `age` milliseconds ago. */
async function held(events: readonly DraftEvent[], age = 0, before: Before = async () => {}) {
  const store = await temporaryEventStore();
  let now = Date.parse('2026-05-04T10:00:00.000Z');
  const clock = { now: () => new Date(now) };
  const executor = createExecutor(store, createEventCodec(streams), clock);
  await executor.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletGenerated({ walletId, address: addresses.distributionWallet }),
  ]);
  await executor.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletClaimed({ walletId, transactionId, creator, earlier: [] }),
  ]);
  if (events.length > 0) await executor.execute(draft, transactionId, causeOf(), () => [...events]);
  now += age;
  const overtaken: typeof executor = {
    ...executor,
    async execute(stream, ...call) {
      await before(stream.category, executor);
      return executor.execute(stream, ...call);
    },
  };
  const claims = createWalletClaims({ executor: overtaken, clock, claimLapse: LAPSE });
  const request = (by: string, id: string = OTHER_DRAFT, wallet: string = walletId) => ({
    walletId: wallet,
    transactionId: id,
    creator: by,
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'free',
      ({ code }: { readonly code: string }) => code,
    );
  return {
    record: (...more: readonly DraftEvent[]) =>
      executor.execute(draft, transactionId, causeOf(), () => [...more]),
    check: (by: string, wallet?: string) => codeOf(claims.check(request(by, OTHER_DRAFT, wallet))),
    claim: (by: string, id?: string) => codeOf(claims.claim(request(by, id), causeOf())),
    state: async () => (await executor.load(draft, transactionId)).state,
    holder: async () => (await executor.load(distributionWallet, walletId)).state?.claim?.transactionId,
    earlier: async () => (await executor.load(distributionWallet, walletId)).state?.claim?.earlier,
  };
}

const accepted = [draftIssued, submissionAccepted];

test.each<[string, readonly DraftEvent[]]>([
  ['open', [draftIssued]],
  ['superseded', [draftIssued, DraftSuperseded({ transactionId, by: OTHER_DRAFT })]],
  ['expired', [draftIssued, DraftExpired({ transactionId })]],
  ['cancelled', [draftIssued, DraftCancelled({ transactionId })]],
  ['failed', [...accepted, submissionFailed]],
])('a wallet whose draft is %s stays with its creator alone', async (_status, events) => {
  for (const age of [0, 2 * LAPSE]) {
    const wallet = await held(events, age);
    expect([await wallet.check(creator), await wallet.check(otherCreator)]).toEqual([
      'free',
      'WALLET_ALREADY_USED',
    ]);
  }
});

test.each<[string, readonly DraftEvent[]]>([
  ['submitted', accepted],
  ['confirmed', [...accepted, submissionConfirmed]],
  ['finalized', [...accepted, submissionFinalized]],
])('a wallet whose draft is %s is nobody else’s, and no other draft’s of its creator', async (_status, events) => {
  const wallet = await held(events, 2 * LAPSE);
  for (const by of [creator, otherCreator]) {
    expect(await wallet.check(by)).toBe('WALLET_ALREADY_USED');
    expect(await wallet.claim(by)).toBe('WALLET_ALREADY_USED');
  }
});

test('a claim whose draft was not recorded keeps others off until it lapses, and its creator never', async () => {
  const young = await held([], LAPSE - 1);
  expect([await young.check(creator), await young.check(otherCreator)]).toEqual([
    'free',
    'WALLET_ALREADY_USED',
  ]);
  const lapsed = await held([], LAPSE);
  expect(await lapsed.check(otherCreator)).toBe('free');
});

test('a draft that was not recorded by then cannot be recorded after another claim', async () => {
  const wallet = await held([], LAPSE);
  expect(await wallet.state()).toEqual({ status: 'absent', abandonments: 0 });
  expect(await wallet.claim(otherCreator)).toBe('free');
  expect(await wallet.state()).toEqual({ status: 'absent', abandonments: 1 });
  expect(await wallet.earlier()).toEqual([]);
});

test('a claim names the open drafts that it replaces, which stay as they are', async () => {
  const wallet = await held([draftIssued]);
  expect(await wallet.claim(creator)).toBe('free');
  expect(await wallet.earlier()).toEqual([transactionId]);
  expect(await wallet.state()).toMatchObject({ status: 'open' });
});

test('a draft that holds the wallet already claims it again, and replaces nothing', async () => {
  const wallet = await held([draftIssued]);
  expect(await wallet.claim(creator, transactionId)).toBe('free');
  expect([await wallet.holder(), await wallet.earlier()]).toEqual([transactionId, []]);
  const submitted = await held(accepted);
  expect(await submitted.claim(creator, transactionId)).toBe('free');
});

test('a wallet is kept by whichever of the drafts that claimed it was submitted, not by the last alone', async () => {
  const wallet = await held([draftIssued]);
  expect(await wallet.claim(creator)).toBe('free');
  await wallet.record(submissionAccepted);
  const third = deriveId('a third draft');
  expect(await wallet.claim(creator, third)).toBe('WALLET_ALREADY_USED');
  expect(await wallet.holder()).toBe(OTHER_DRAFT);
});

test('a wallet that nobody generated is not found', async () => {
  const wallet = await held([]);
  expect(await wallet.check(creator, deriveId('no wallet'))).toBe('WALLET_NOT_FOUND');
});

test('a draft that is submitted while another one claims its wallet keeps it', async () => {
  const submits: Before = async (category, executor) => {
    if (category !== draft.category) return;
    await executor.execute(draft, transactionId, causeOf(), ({ status }) =>
      status === 'open' ? [submissionAccepted] : [],
    );
  };
  const wallet = await held([draftIssued], 0, submits);
  expect(await wallet.claim(creator)).toBe('WALLET_ALREADY_USED');
  expect([await wallet.holder(), (await wallet.state()).status]).toEqual([transactionId, 'submitted']);
});

test('of two claims at the same moment one wins, and the other is told to try again', async () => {
  const third = deriveId('a third draft');
  const claims: Before = async (category, executor) => {
    if (category !== distributionWallet.category) return;
    await executor.execute(distributionWallet, walletId, causeOf(), () => [
      DistributionWalletClaimed({ walletId, transactionId: third, creator, earlier: [transactionId] }),
    ]);
  };
  const wallet = await held([draftIssued], 0, claims);
  expect(await wallet.claim(creator)).toBe('CONCURRENT_CHANGE');
  expect(await wallet.holder()).toBe(third);
});
