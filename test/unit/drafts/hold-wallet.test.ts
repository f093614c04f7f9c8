// Which draft holds a wallet when it is submitted: each way in which it does not.
import { describe, expect, test } from 'vitest';
import { holdWallet, replaceEarlier } from '../../../src/drafts/wallet-holder.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import {
  DistributionWalletClaimed,
  DistributionWalletGenerated,
  distributionWallet,
} from '../../../src/streams/distribution-wallet.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  type DraftEvent,
  DraftIssued,
  DraftSuperseded,
  SubmissionAccepted,
  SubmissionFailed,
} from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import { causeOf, clock } from '../../support/counter.ts';
import { acceptedSubmission, addresses, ids, issuedDraft } from '../../support/domain-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

const { walletId, transactionId, otherTransactionId } = ids;
const { creator } = addresses;
const issued = (id: string) => DraftIssued({ ...issuedDraft, transactionId: id });
const accepted = (id: string) => SubmissionAccepted({ ...acceptedSubmission, transactionId: id });
const request = { walletId, transactionId, creator };

/** A wallet that was claimed for these drafts, one after the other, each naming the one before. */
async function walletOf(claims: readonly string[], drafts: Readonly<Record<string, readonly DraftEvent[]>>) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const claim = (id: string, earlier: readonly string[]) =>
    DistributionWalletClaimed({ walletId, transactionId: id, creator, earlier: [...earlier] });
  await executor.execute(distributionWallet, walletId, causeOf(), () => [
    DistributionWalletGenerated({ walletId, address: addresses.distributionWallet }),
    ...claims.map((id, index) => claim(id, claims.slice(0, index))),
  ]);
  for (const [id, events] of Object.entries(drafts))
    await executor.execute(draft, id, causeOf(), () => [...events]);
  const statusOf = async (id: string) => (await executor.load(draft, id)).state.status;
  return { executor, claim, statusOf };
}

test('a recorded draft whose wallet nobody has claimed is an error, not a submission', async () => {
  const { executor } = await walletOf([], { [transactionId]: [issued(transactionId)] });
  await expect(holdWallet(executor, request, causeOf())).rejects.toThrow('is not claimed');
});

test('a wallet whose earlier draft was submitted is refused, and that draft stays as it is', async () => {
  const { executor, statusOf } = await walletOf([otherTransactionId, transactionId], {
    [otherTransactionId]: [issued(otherTransactionId), accepted(otherTransactionId)],
    [transactionId]: [issued(transactionId)],
  });
  await expect(holdWallet(executor, request, causeOf())).rejects.toMatchObject({
    code: 'WALLET_ALREADY_USED',
  });
  await expect(replaceEarlier(executor, request, causeOf())).rejects.toMatchObject({
    code: 'WALLET_ALREADY_USED',
  });
  expect([await statusOf(otherTransactionId), await statusOf(transactionId)]).toEqual([
    'submitted',
    'superseded',
  ]);
});

test('a draft is superseded by a later one that is recorded, unless it was accepted meanwhile', async () => {
  for (const [rest, end] of [
    [[], 'superseded'],
    [[accepted(transactionId)], 'submitted'],
  ] as const) {
    const { executor, statusOf } = await walletOf([transactionId, otherTransactionId], {
      [transactionId]: [issued(transactionId), ...rest],
      [otherTransactionId]: [issued(otherTransactionId)],
    });
    const held = holdWallet(executor, request, causeOf());
    if (end === 'submitted') await held;
    else await expect(held).rejects.toMatchObject({ code: 'TRANSACTION_SUPERSEDED' });
    expect(await statusOf(transactionId)).toBe(end);
  }
});

test('a wallet that others claim at each try is given up after ten, and may be tried again', async () => {
  const at = await walletOf([transactionId], { [transactionId]: [issued(transactionId)] });
  let loads = 0;
  // Another draft claims the wallet before each look at it.
  const contested: typeof at.executor = {
    ...at.executor,
    async known(stream, streamId) {
      if (streamId === walletId) {
        loads += 1;
        await at.executor.execute(distributionWallet, walletId, causeOf(), () => [
          at.claim(`00000000-0000-4000-8000-0000000000${String(loads).padStart(2, '0')}`, [transactionId]),
        ]);
      }
      return at.executor.known(stream, streamId);
    },
  };
  await expect(holdWallet(contested, request, causeOf())).rejects.toMatchObject({
    code: 'CONCURRENT_CHANGE',
    retryAfterSeconds: 1,
  });
  expect(loads).toBe(10);
  await holdWallet(at.executor, request, causeOf());
});

const FAILED = SubmissionFailed({
  transactionId: otherTransactionId,
  code: 'TRANSACTION_EXPIRED',
  message: 'It did not land.',
  logs: [],
});

test('a draft whose earlier one is open, or was submitted and failed, holds the wallet, and ends what is open', async () => {
  for (const [rest, end] of [
    [[], 'superseded'],
    [[accepted(otherTransactionId), FAILED], 'failed'],
  ] as const) {
    const { executor, statusOf } = await walletOf([otherTransactionId, transactionId], {
      [otherTransactionId]: [issued(otherTransactionId), ...rest],
      [transactionId]: [issued(transactionId)],
    });
    await holdWallet(executor, request, causeOf());
    expect([await statusOf(otherTransactionId), await statusOf(transactionId)]).toEqual([end, 'open']);
  }
});

test('a draft that finds a later claim whose draft is not recorded fences that one off and claims the wallet back', async () => {
  const { executor, statusOf } = await walletOf([transactionId, otherTransactionId], {
    [transactionId]: [issued(transactionId)],
  });
  await holdWallet(executor, request, causeOf());
  const { state } = await executor.load(distributionWallet, walletId);
  expect(state?.claim?.transactionId).toBe(transactionId);
  expect((await executor.load(draft, otherTransactionId)).state).toEqual({
    status: 'absent',
    abandonments: 1,
  });
  expect(await statusOf(transactionId)).toBe('open');
});

const third = '11111111-1111-4111-8111-111111111111';

test('a wallet that a recorded draft claims while another one claims it back is that draft’s', async () => {
  const at = await walletOf([transactionId, otherTransactionId], {
    [transactionId]: [issued(transactionId)],
    [third]: [issued(third)],
  });
  let isForestalled = false;
  const forestalled: typeof at.executor = {
    ...at.executor,
    async execute(stream, streamId, ...rest) {
      if (streamId === walletId && !isForestalled) {
        isForestalled = true;
        await at.executor.execute(distributionWallet, walletId, causeOf(), () => [
          at.claim(third, [transactionId]),
        ]);
      }
      return at.executor.execute(stream, streamId, ...rest);
    },
  };
  await expect(holdWallet(forestalled, request, causeOf())).rejects.toMatchObject({
    code: 'TRANSACTION_SUPERSEDED',
  });
  const { state } = await at.executor.load(distributionWallet, walletId);
  expect(state?.claim?.transactionId).toBe(third);
});

describe('the drafts that a recorded one replaces', () => {
  test('are ended, and the latest position of what that recorded is given', async () => {
    const { executor, statusOf } = await walletOf([otherTransactionId, third, transactionId], {
      [otherTransactionId]: [issued(otherTransactionId)],
      [third]: [issued(third)],
      [transactionId]: [issued(transactionId)],
    });
    const position = await replaceEarlier(executor, request, causeOf());
    expect([
      await statusOf(otherTransactionId),
      await statusOf(third),
      await statusOf(transactionId),
    ]).toEqual(['superseded', 'superseded', 'open']);
    expect(position).toBe((await executor.load(draft, third)).position);
    // Once more it ends nothing, and shows as much.
    expect(await replaceEarlier(executor, request, causeOf())).toBe(position);
  });

  test('are shown up to the latest of them, in whatever order they are named', async () => {
    const { executor } = await walletOf([otherTransactionId, third, transactionId], {
      [third]: [issued(third), DraftSuperseded({ transactionId: third, by: transactionId })],
      [transactionId]: [issued(transactionId)],
      // Named first, and ended last.
      [otherTransactionId]: [issued(otherTransactionId), accepted(otherTransactionId), FAILED],
    });
    const position = await replaceEarlier(executor, request, causeOf());
    expect(position).toBe((await executor.load(draft, otherTransactionId)).position);
  });

  test('are not looked at where another draft holds the wallet by now, or nobody', async () => {
    const { executor, statusOf } = await walletOf([otherTransactionId, transactionId, third], {
      [otherTransactionId]: [issued(otherTransactionId)],
      [transactionId]: [issued(transactionId)],
    });
    expect(await replaceEarlier(executor, request, causeOf())).toBeUndefined();
    expect(await statusOf(otherTransactionId)).toBe('open');
    const unclaimed = await walletOf([], { [transactionId]: [issued(transactionId)] });
    expect(await replaceEarlier(unclaimed.executor, request, causeOf())).toBeUndefined();
  });

  test('are none of the first draft: there is nothing to show', async () => {
    const { executor } = await walletOf([transactionId], { [transactionId]: [issued(transactionId)] });
    expect(await replaceEarlier(executor, request, causeOf())).toBeUndefined();
  });
});
