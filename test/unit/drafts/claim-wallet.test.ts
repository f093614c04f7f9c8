// A wallet may be claimed, and drafted for, according to the end of the draft that holds it.
import { describe, expect, test } from 'vitest';
import { claimWallet, usableWallet } from '../../../src/drafts/claim-wallet.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
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
  SubmissionDropped,
} from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import { causeOf, clock } from '../../support/counter.ts';
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

const { walletId, transactionId: holder, otherTransactionId: transactionId } = ids;
const { creator, otherCreator, distributionWallet: address } = addresses;
const accepted = [draftIssued, submissionAccepted];

/** A wallet that was claimed by a draft of which this was recorded; by none if nothing is given. */
async function walletOf(events?: readonly DraftEvent[]) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const claimed = DistributionWalletClaimed({ walletId, transactionId: holder, creator });
  await executor.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletGenerated({ walletId, address }),
    ...(events === undefined ? [] : [claimed]),
  ]);
  if (events !== undefined && events.length > 0)
    await executor.execute(draft, holder, causeOf(), () => [...events]);
  const outcome = (work: Promise<unknown>) =>
    work.then(
      (result) => result ?? 'claimed',
      ({ code }: { readonly code: string }) => code,
    );
  const request = (by: string, id: string, wallet: string = walletId) => ({
    walletId: wallet,
    transactionId: id,
    creator: by,
  });
  return {
    executor,
    claim: (by: string, id: string = transactionId) =>
      outcome(claimWallet(executor, request(by, id), causeOf())),
    usable: (by: string, wallet?: string) =>
      outcome(usableWallet(executor, request(by, transactionId, wallet))),
    claims: async () =>
      (await executor.load(distributionWallet, walletId)).events.flatMap((event) =>
        event.type === 'DistributionWalletClaimed' ? [event.data.transactionId] : [],
      ),
  };
}

test('a wallet that nobody generated is not found', async () => {
  const at = await walletOf();
  expect(await at.usable(creator, ids.otherTransactionId)).toBe('WALLET_NOT_FOUND');
});

test('a wallet that nobody has submitted a draft for is free, and is claimed once by a draft, however often it tries', async () => {
  const at = await walletOf();
  for (const by of [creator, otherCreator]) expect(await at.usable(by)).toBe(address);
  for (let tries = 0; tries < 3; tries += 1) expect(await at.claim(creator)).toBe('claimed');
  expect(await at.claims()).toEqual([transactionId]);
});

describe('a wallet that a draft has claimed', () => {
  test.each<[string, readonly DraftEvent[]]>([
    ['failed', [...accepted, submissionFailed]],
    [
      'was confirmed before a fork took it back, and failed',
      [...accepted, submissionConfirmed, submissionFailed],
    ],
    ['expired', [draftIssued, DraftExpired({ transactionId: holder })]],
    ['was superseded', [draftIssued, DraftSuperseded({ transactionId: holder, by: transactionId })]],
    ['was cancelled', [draftIssued, DraftCancelled({ transactionId: holder })]],
  ])('is free for everybody once it %s', async (_how, events) => {
    for (const by of [creator, otherCreator]) {
      const at = await walletOf(events);
      expect(await at.usable(by)).toBe(address);
      expect(await at.claim(by)).toBe('claimed');
      expect(await at.claims()).toEqual([holder, transactionId]);
    }
  });

  test.each<[string, readonly DraftEvent[]]>([
    ['was accepted', accepted],
    ['is confirmed', [...accepted, submissionConfirmed]],
    [
      'is sent again after a fork',
      [...accepted, submissionConfirmed, SubmissionDropped({ transactionId: holder })],
    ],
    ['is final', [...accepted, submissionFinalized]],
    ['cannot be read', [submissionAccepted]],
  ])('belongs to it once it %s: no other draft takes it, and none is made', async (_how, events) => {
    const at = await walletOf(events);
    for (const by of [creator, otherCreator]) expect(await at.usable(by)).toBe('WALLET_ALREADY_USED');
    expect(await at.claim(creator)).toBe('TRANSACTION_SUPERSEDED');
    expect(await at.claim(otherCreator)).toBe('WALLET_ALREADY_USED');
    expect(await at.claims()).toEqual([holder]);
  });

  test('and that was not accepted yet is its: its creator may draft anew, which ends it', async () => {
    const at = await walletOf([draftIssued]);
    expect([await at.usable(creator), await at.usable(otherCreator)]).toEqual([
      address,
      'WALLET_ALREADY_USED',
    ]);
    expect(await at.claim(creator)).toBe('TRANSACTION_SUPERSEDED');
    expect(await at.claim(otherCreator)).toBe('WALLET_ALREADY_USED');
    expect(await at.claim(creator, holder)).toBe('claimed');
    expect(await at.claims()).toEqual([holder]);
  });
});
