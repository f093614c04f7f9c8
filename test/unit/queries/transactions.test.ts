// What is told of a draft: to its owner what became of it, to everybody the metadata that its mint points at.
import type { Static } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import type { TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getTokenMetadata } from '../../../src/queries/get-token-metadata.ts';
import { getTransaction } from '../../../src/queries/get-transaction.ts';
import { listTransactions } from '../../../src/queries/list-transactions.ts';
import { DraftCancelled, DraftIssued, SubmissionAccepted } from '../../../src/streams/draft-events.ts';
import type { Transaction } from '../../../src/views/transaction-view.ts';
import { signedByPosition, unsignedBytes } from '../../../src/views/unsigned-draft.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  token,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { issuedLaunchDraft } from '../../support/launch-examples.ts';
import { answering } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { transactionId } = ids;
const early = '2026-05-04T10:00:00.000Z';
const settled = '2026-05-04T10:01:00.000Z';
const late = issuedDraft.expiresAt;

const issued = happening(transactionId, draftIssued, early);
const turns = turnsOf();
const superseded = happening(transactionId, turns.superseded);
const expired = happening(transactionId, turns.expired);
const cancelled = happening(transactionId, turns.cancelled);
const flooded = happening(transactionId, turns.flooded);
const accepted = happening(transactionId, submissionAccepted);
const confirmed = happening(transactionId, submissionConfirmed, settled);
const finalized = happening(transactionId, submissionFinalized);
const failed = happening(transactionId, submissionFailed, settled);

const keyring = createKeyring(new Uint8Array(32).fill(7));
const asOwner = (now: string) => ({
  params: { transactionId },
  actor: addresses.creator,
  now,
  services: { keyring },
});

test('a transaction whose outcome nothing tells says so, before that its history is flooded', async () => {
  const unknown = happening(transactionId, turns.unknown);
  const ask = await answering([issued, accepted, flooded, unknown]);
  expect(await ask(getTransaction, asOwner(early))).toMatchObject({
    waitingFor: { code: 'OUTCOME_UNKNOWN', message: expect.stringMatching(/operator can conclude it/) },
  });
});

test('a transaction whose outcome is searched in a flooded history says so, until it is known', async () => {
  const during = await (await answering([issued, accepted, flooded]))(getTransaction, asOwner(early));
  expect(during).toMatchObject({ status: 'submitted', waitingFor: { code: 'HISTORY_SEARCH' } });
  const ask = await answering([issued, accepted, flooded, finalized]);
  const after = await ask(getTransaction, asOwner(early));
  expect(after).not.toHaveProperty('waitingFor');
});

describe('a transaction', () => {
  const waiting = {
    transactionId,
    purpose: 'token-creation',
    status: 'awaiting_signature',
    signature: null,
    mintAddress: addresses.mint,
    error: null,
    createdAt: early,
    expiresAt: late,
    settledAt: null,
  };
  const bytes = { transaction: unsignedBytes(issuedDraft.message), cost: issuedDraft.cost };
  const landed = { ...waiting, status: 'confirmed', signature: signatures.second, settledAt: settled };
  const { code, message, logs } = submissionFailed.data;

  test.each([
    ['waits for its signature, with its bytes', [issued], early, { ...waiting, ...bytes }],
    [
      'has expired from its very expiry on, recorded or not',
      [issued],
      late,
      { ...waiting, status: 'expired' },
    ],
    ['has expired', [issued, expired], early, { ...waiting, status: 'expired' }],
    [
      'has expired when a newer one replaced it',
      [issued, superseded],
      early,
      { ...waiting, status: 'expired' },
    ],
    ['was cancelled', [issued, cancelled], late, { ...waiting, status: 'cancelled' }],
    [
      'is submitted, also after its expiry',
      [issued, accepted],
      late,
      { ...waiting, status: 'submitted', signature: signatures.first },
    ],
    ['is confirmed', [issued, accepted, confirmed], early, landed],
    ['is confirmed when it is finalized', [issued, accepted, confirmed, finalized], early, landed],
    [
      'has failed, with the reason',
      [issued, accepted, failed],
      early,
      {
        ...waiting,
        status: 'failed',
        signature: signatures.first,
        error: { code, message, logs },
        settledAt: settled,
      },
    ],
  ] as const)('%s', async (_what, happenings, now, expected) => {
    const ask = await answering(happenings);
    expect(await ask(getTransaction, asOwner(now))).toEqual(expected);
  });

  test('of the past has no bytes to sign', async () => {
    const ask = await answering([issued]);
    expect(await ask(getTransaction, { ...asOwner(early), services: { keyring: undefined } })).toEqual(
      waiting,
    );
  });

  test('that launches a token has bytes that the position has signed, until its blockhash is over', async () => {
    const launch = { ...issuedLaunchDraft, transactionId, creator: addresses.creator };
    const ask = await answering([happening(transactionId, DraftIssued(launch), early)]);
    const { transaction, launch: terms } = (await ask(getTransaction, asOwner(early))) as {
      readonly transaction: string;
      readonly launch: object;
    };
    expect(terms).toEqual({
      tokenAmount: '800000000000000',
      decimals: 6,
      targetMarketCap: '400000000000',
      curve: { startPrice: '25', endPrice: '400', priceMultiplier: '16' },
    });
    const position = keyring.position(transactionId);
    expect(transaction).toBe(signedByPosition(launch.message, position));
    const over = await ask(getTransaction, asOwner(launch.expiresAt));
    expect(over).toMatchObject({ status: 'awaiting_signature' });
    expect(over).not.toHaveProperty('transaction');
  });

  test('is told to its owner only', async () => {
    const ask = await answering([issued]);
    const stranger = { ...asOwner(early), actor: addresses.otherCreator };
    await expect(ask(getTransaction, stranger)).rejects.toMatchObject({ code: 'NOT_TRANSACTION_OWNER' });
  });

  test('that does not exist is not found', async () => {
    const ask = await answering([issued]);
    const other = { ...asOwner(early), params: { transactionId: ids.otherTransactionId } };
    await expect(ask(getTransaction, other)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });
});

describe('the list of a wallet', () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const drafts = Array.from({ length: 6 }, (_, number) => {
    const data = { ...issuedDraft, transactionId: idOf(number), expiresAt: number < 2 ? settled : late };
    return happening(idOf(number), DraftIssued(data), early);
  });
  const [fourth, fifth] = [idOf(3), idOf(4)];
  const life = [
    ...drafts,
    happening(fourth, DraftCancelled({ transactionId: fourth })),
    happening(fifth, SubmissionAccepted({ ...acceptedSubmission, transactionId: fifth })),
    happening(ids.transactionId, DraftIssued({ ...issuedDraft, creator: addresses.otherCreator })),
  ];

  async function listed(
    query: Readonly<Record<string, unknown>>,
    { now = settled, actor = addresses.creator as string } = {},
  ) {
    const ask = await answering(life);
    const { transactions, next } = (await ask(listTransactions, { query, actor, now })) as {
      readonly transactions: readonly Static<typeof Transaction>[];
      readonly next: string | null;
    };
    return { shown: transactions.map(({ transactionId: id }) => Number(id.slice(-2))), next };
  }

  test('has all of its own, newest first', async () => {
    expect(await listed({})).toEqual({ shown: [5, 4, 3, 2, 1, 0], next: null });
    expect((await listed({}, { actor: addresses.mint })).shown).toEqual([]);
  });

  test.each([
    ['awaiting_signature', early, [5, 2, 1, 0]],
    ['awaiting_signature', settled, [5, 2]],
    ['expired', settled, [1, 0]],
    ['expired', late, [5, 2, 1, 0]],
    ['cancelled', settled, [3]],
    ['submitted', settled, [4]],
  ])('has those that are %s at %s, recorded or not', async (status, now, expected) => {
    expect((await listed({ status }, { now })).shown).toEqual(expected);
  });

  test('comes in whole pages, whatever is between', async () => {
    const first = await listed({ status: 'expired', limit: 1 });
    expect(first).toEqual({ shown: [1], next: idOf(1) });
    expect(await listed({ status: 'expired', limit: 1, after: first.next })).toEqual({
      shown: [0],
      next: null,
    });
    expect(await listed({ status: 'expired', limit: 2 })).toEqual({ shown: [1, 0], next: null });
  });

  test('has no page behind what is not of the wallet', async () => {
    for (const after of [ids.transactionId, ids.otherTransactionId]) {
      await expect(listed({ after })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

describe('the metadata of a mint', () => {
  const file = { params: { file: `${addresses.mint}.json` } };

  test.each([
    ['issued', [issued]],
    ['submitted', [issued, accepted]],
    ['confirmed', [issued, accepted, confirmed]],
    ['finalized', [issued, accepted, finalized]],
  ] as const)('are there while its draft is %s', async (_status, happenings) => {
    const ask = await answering(happenings);
    const { caching, output } = (await ask(getTokenMetadata, file)) as TaggedAnswer<object>;
    expect(caching).toBe('public');
    // The link that is empty is left out.
    expect(output).toStrictEqual({
      name: token.name,
      symbol: token.symbol,
      description: token.description,
      image: token.imageUri,
      external_url: token.website,
      twitter: token.twitter,
      website: token.website,
    });
  });

  test.each([
    ['expired', [issued, expired]],
    ['superseded', [issued, superseded]],
    ['cancelled', [issued, cancelled]],
    ['failed', [issued, accepted, failed]],
  ] as const)('are gone once its draft is %s', async (_status, happenings) => {
    const ask = await answering(happenings);
    await expect(ask(getTokenMetadata, file)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });

  test.each(['', addresses.mint, `${addresses.creator}.json`])('are not found as %j', async (name) => {
    const ask = await answering([issued]);
    await expect(ask(getTokenMetadata, { params: { file: name } })).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
  });
});
