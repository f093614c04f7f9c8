/** What the embedded chain gives to those who try the service out, and that no other chain does. */
import {
  getAccount,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { createClient, type Problem } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';
import { openServiceOnChain, openTestChain } from '../support/service-on-chain.ts';
import { nodeAt } from '../support/settling.ts';

interface Given {
  readonly walletAddress: string;
  readonly lamports: string;
}

const newAddress = () => Keypair.generate().publicKey.toBase58();

test('on the embedded chain the lamports have arrived when the faucet answers', async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0' });
  const client = createClient(service.url);
  const walletAddress = newAddress();
  const given = await client.ask<Given>('POST', '/faucet', { json: { walletAddress } });
  expect(given).toEqual({ walletAddress, lamports: '2000000000' });
  expect(await nodeAt(service.chainUrl).getBalance(new PublicKey(walletAddress))).toBe(2_000_000_000);
  await client.refusal('INVALID_ADDRESS', 'POST', '/faucet', { json: { walletAddress: 'nobody' } });
});

test('a service on another chain gives nothing, though that chain would, and says so to pages before they ask', async () => {
  const chain = await openTestChain();
  const { url } = await openServiceOnChain({ nodeUrl: chain.url, chainUrl: chain.url });
  const client = createClient(url);
  expect(await client.ask('GET', '/config')).toMatchObject({ faucet: false });
  const { status, body } = await client.call<Problem>('POST', '/faucet', {
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
    await client.refusal('NO_FAUCET', 'POST', `/faucet/transfers/${path}`, { json });
  expect(body.detail).toContain('on the embedded chain only');
});

test('an address gets from the faucet no more often than its quota says, whatever wallet it names', async () => {
  const service = await openTestService({ RATE_LIMITS: 'faucet=1/h', NONCE_ACCOUNTS_MIN: '0' });
  const client = createClient(service.url);
  await client.ask('POST', '/faucet', { json: { walletAddress: newAddress() } });
  await client.refusal('RATE_LIMITED', 'POST', '/faucet', { json: { walletAddress: newAddress() } });
});

describe('a test transfer', () => {
  test('is built for its sender to sign, lands, and leaves its tax in the receiver\u2019s account', async () => {
    const service = await openTestService();
    const creator = await openCreator(service);
    const { mintAddress } = await creator.createToken({ transferFeePercent: 5 });
    const to = newAddress();
    const json = { mintAddress, sender: creator.address, recipient: to, amount: '1000001' };
    const client = createClient(service.url);
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
