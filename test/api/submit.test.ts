/** Refusals of submit: any transaction other than the issued one, signed by its creator, before it expires. A refusal records nothing. */
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../support/client.ts';
import {
  type Creator,
  connectionTo,
  type Draft,
  fund,
  openCreator,
  type SubmittedToken,
} from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PATH = '/tokens/submit';
const LIGHTHOUSE = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

type Code = Parameters<Creator['client']['refusal']>[0];

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
});

afterEach(() => {
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

function send(creator: Creator, draft: Pick<Draft, 'transactionId'>, signedTransaction: string) {
  const json = { transactionId: draft.transactionId, signedTransaction };
  return creator.call<Problem & SubmittedToken>('POST', PATH, { json });
}

async function refused(
  creator: Creator,
  draft: Draft,
  code: Code,
  signedTransaction: string,
): Promise<Problem> {
  const before = service.recorded.length;
  const { body } = await send(creator, draft, signedTransaction);
  expect([body.code, body.detail]).toEqual([code, expect.any(String)]);
  expect(service.recorded.slice(before)).toEqual([]);
  return body;
}

describe('a signed transaction', () => {
  let creator: Creator;
  let draft: Draft;

  beforeAll(async () => {
    creator = await openCreator(service);
    draft = await creator.draft();
  });

  const bytes = () => Buffer.from(draft.transaction, 'base64');
  const unsigned = () => Transaction.from(bytes());
  const serialized = (transaction: Transaction) =>
    transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64');

  /** Compiled again after the change, and signed by the creator if the creator is a signer. */
  function changed(change: (transaction: Transaction) => unknown): string {
    const transaction = unsigned();
    change(transaction);
    const fresh = new Transaction().add(...transaction.instructions);
    fresh.recentBlockhash = transaction.recentBlockhash ?? '';
    fresh.feePayer = transaction.feePayer ?? creator.keypair.publicKey;
    fresh.partialSign(creator.keypair);
    return serialized(fresh);
  }

  test('is another one with a transfer added', async () => {
    const transfer = SystemProgram.transfer({
      fromPubkey: creator.keypair.publicKey,
      toPubkey: LIGHTHOUSE,
      lamports: 1,
    });
    await refused(
      creator,
      draft,
      'TRANSACTION_MISMATCH',
      changed((transaction) => transaction.add(transfer)),
    );
  });

  test('may carry the priority fee that the wallet set, and is followed to finality as it was sent', async () => {
    const own = await openCreator(service);
    const issued = await own.draft();
    const transaction = Transaction.from(Buffer.from(issued.transaction, 'base64'));
    for (const instruction of transaction.instructions) {
      if (!instruction.programId.equals(ComputeBudgetProgram.programId)) continue;
      const { data } = instruction;
      if (data[0] === 2) data.writeUInt32LE(data.readUInt32LE(1) + 30_000, 1);
      if (data[0] === 3) data.writeBigUInt64LE(123_456n, 1);
    }
    transaction.partialSign(own.keypair);
    const { status, body } = await send(own, issued, serialized(transaction));
    expect(status).toBe(200);
    const landed = await connectionTo(service).getTransaction(body.signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    expect(landed?.transaction.message.serialize()).toEqual(transaction.serializeMessage());
    await until(async () => {
      const settled = await own.client.ask<{ status: string; settledAt: string | null }>(
        'GET',
        `/transactions/${issued.transactionId}`,
        { token: own.token },
      );
      return (settled.status === 'confirmed' && settled.settledAt !== null) || undefined;
    });
  });
});

describe('a draft', () => {
  let creator: Creator;

  beforeEach(async () => {
    creator = await openCreator(service);
  });

  test('that was not submitted in time is gone, before and after anybody tidied up', async () => {
    const hasty = await openTestService({ NONCE_ACCOUNTS_MIN: '2' }, { constants: { draftLifetimeMs: 1 } });
    const late = await openCreator(hasty);
    const { walletId } = await late.generateWallet();
    const draft = await late.draft({ walletId });
    const json = { transactionId: draft.transactionId, signedTransaction: late.sign(draft) };
    const submitted = { token: late.token, json };
    await late.client.refusal('TRANSACTION_EXPIRED', 'POST', PATH, submitted);
    await until(async () => {
      const { status } = await late.call('GET', `/metadata/${draft.mintKeypair.publicKey}.json`);
      return status === 404 ? true : undefined;
    });
    await late.client.refusal('TRANSACTION_EXPIRED', 'POST', PATH, submitted);
    // The wallet is free for another draft of the same creator.
    await late.draft({ walletId });
    await late.client.refusal('TRANSACTION_EXPIRED', 'POST', PATH, submitted);
    expect(hasty.recorded.filter(({ type }) => type === 'SubmissionAccepted')).toEqual([]);
  });

  test('whose creator has run out of SOL is refused, stays open, and works when there is SOL again', async () => {
    const connection = connectionTo(service);
    const draft = await creator.draft();
    const balance = await connection.getBalance(creator.keypair.publicKey);
    const spend = new Transaction().add(
      SystemProgram.transfer({
        fromPubkey: creator.keypair.publicKey,
        toPubkey: Keypair.generate().publicKey,
        lamports: balance - 5_000,
      }),
    );
    await connection.sendTransaction(spend, [creator.keypair]);
    expect(await connection.getBalance(creator.keypair.publicKey)).toBe(0);
    await refused(creator, draft, 'CHAIN_REJECTED', creator.sign(draft));

    await fund(service.chainUrl, creator.address, 2_000_000);
    await refused(creator, draft, 'CHAIN_REJECTED', creator.sign(draft));
    const { body } = await creator.call('GET', `/transactions/${draft.transactionId}`);
    expect(body).toMatchObject({ status: 'awaiting_signature', signature: null, error: null });

    await fund(service.chainUrl, creator.address, balance);
    expect((await creator.submit(draft)).success).toBe(true);
  });
});
