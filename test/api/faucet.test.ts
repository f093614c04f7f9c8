/** Faucet of the embedded chain; no other chain has one. */
import {
  getAccount,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient, type Problem } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { openServiceOnChain, openTestChain } from '../support/service-on-chain.ts';
import { nodeAt } from '../support/settling.ts';

interface Given {
  readonly walletAddress: string;
  readonly lamports: string;
}

const newAddress = () => Keypair.generate().publicKey.toBase58();

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await openTestService();
  client = createClient(service.url);
});

test('on the embedded chain the lamports have arrived when the faucet answers', async () => {
  const walletAddress = newAddress();
  const given = await client.ask<Given>('POST', '/faucet', { json: { walletAddress } });
  expect(given).toEqual({ walletAddress, lamports: '2000000000' });
  expect(await nodeAt(service.chainUrl).getBalance(new PublicKey(walletAddress))).toBe(2_000_000_000);
  await client.refusal('INVALID_ADDRESS', 'POST', '/faucet', { json: { walletAddress: 'nobody' } });
});

test('a service on another chain gives nothing, sells no promotions before it has a treasury, and says so to pages', async () => {
  const chain = await openTestChain();
  const abroad = await openServiceOnChain({ nodeUrl: chain.url, chainUrl: chain.url });
  const elsewhere = createClient(abroad.url);
  expect(await elsewhere.ask('GET', '/config')).toMatchObject({
    faucet: false,
    promotions: { available: false, treasuryAddress: null },
  });
  const creator = await openCreator(abroad);
  await elsewhere.refusal('PROMOTIONS_UNAVAILABLE', 'POST', '/featured/create-unsigned', {
    json: { tokenMint: (await creator.createToken()).mintAddress, days: 1 },
    token: creator.token,
  });
  const { status, body } = await elsewhere.call<Problem>('POST', '/faucet', {
    json: { walletAddress: newAddress() },
  });
  expect([status, body.code]).toEqual([404, 'NO_FAUCET']);
  for (const [path, json] of [
    [
      'create-unsigned',
      { mintAddress: newAddress(), sender: newAddress(), recipient: newAddress(), amount: '1' },
    ],
    ['submit', { signedTransaction: 'AAAA' }],
  ] as const)
    await elsewhere.refusal('NO_FAUCET', 'POST', `/faucet/transfers/${path}`, { json });
  expect(body.detail).toContain('on the embedded chain only');
});

describe('a test transfer', () => {
  test('is built for its sender to sign, lands, and leaves its tax in the receiver\u2019s account', async () => {
    const creator = await openCreator(service);
    const { mintAddress } = await creator.createToken({ transferFeePercent: 5 });
    const to = newAddress();
    expect(await client.ask('GET', `/tokens/${mintAddress}/transfer-quote?amount=1000001`)).toMatchObject({
      currentEpoch: { fee: '50001', received: '950000' },
      nextEpoch: { fee: '50001', received: '950000' },
    });
    const json = { mintAddress, sender: creator.address, recipient: to, amount: '1000001' };
    const { transaction } = await client.ask<{ transaction: string }>(
      'POST',
      '/faucet/transfers/create-unsigned',
      { json },
    );
    const signed = signedBy(creator.keypair, transaction);
    const { signature } = await client.ask<{ signature: string }>('POST', '/faucet/transfers/submit', {
      json: { signedTransaction: signed },
    });
    const { value } = await nodeAt(service.chainUrl).getSignatureStatus(signature);
    expect([value?.err, value?.confirmationStatus]).toEqual([
      null,
      expect.stringMatching(/confirmed|finalized/),
    ]);
    const account = getAssociatedTokenAddressSync(
      new PublicKey(mintAddress),
      new PublicKey(to),
      false,
      TOKEN_2022_PROGRAM_ID,
    );
    const { amount, tlvData } = await getAccount(
      nodeAt(service.chainUrl),
      account,
      'confirmed',
      TOKEN_2022_PROGRAM_ID,
    );
    expect(amount).toBe(950_000n);
    expect(getTransferFeeAmount({ tlvData } as never)?.withheldAmount).toBe(50_001n);

    // Not signed, more than the sender has, more than there can be, and no transaction at all.
    await client.refusal('SIGNATURE_INVALID', 'POST', '/faucet/transfers/submit', {
      json: { signedTransaction: transaction },
    });
    await client.refusal('VALIDATION_FAILED', 'POST', '/faucet/transfers/create-unsigned', {
      json: { ...json, amount: '18446744073709551616' },
    });
    const tooMuch = await client.ask<{ transaction: string }>('POST', '/faucet/transfers/create-unsigned', {
      json: { ...json, amount: '18446744073709551615' },
    });
    await client.refusal('TRANSACTION_FAILED', 'POST', '/faucet/transfers/submit', {
      json: { signedTransaction: signedBy(creator.keypair, tooMuch.transaction) },
    });
    await client.refusal('VALIDATION_FAILED', 'POST', '/faucet/transfers/submit', {
      json: { signedTransaction: 'AAAA' },
    });
    await client.refusal('TOKEN_NOT_FOUND', 'POST', '/faucet/transfers/create-unsigned', {
      json: { ...json, mintAddress: to },
    });
    for (const field of ['sender', 'recipient'])
      await client.refusal('INVALID_ADDRESS', 'POST', '/faucet/transfers/create-unsigned', {
        json: { ...json, [field]: 'nobody' },
      });
  });
});

function signedBy(keypair: Keypair, transaction: string): string {
  const decoded = Transaction.from(Buffer.from(transaction, 'base64'));
  decoded.partialSign(keypair);
  return decoded.serialize({ requireAllSignatures: false }).toString('base64');
}
