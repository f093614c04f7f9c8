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

/** A wallet that the creator's draft holds, of which this was recorded, `age` milliseconds ago. */
async function held(events: readonly DraftEvent[], age = 0) {
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
  const claims = createWalletClaims({ executor, clock, claimLapse: LAPSE });
  const request = (by: string) => ({ walletId, transactionId: OTHER_DRAFT, creator: by });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'free',
      ({ code }: { readonly code: string }) => code,
    );
  return {
    check: (by: string) => codeOf(claims.check(request(by))),
    claim: (by: string) => codeOf(claims.claim(request(by), causeOf())),
    state: async () => (await executor.load(draft, transactionId)).state,
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
