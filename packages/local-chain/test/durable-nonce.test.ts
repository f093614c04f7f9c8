// Durable nonces: a transaction on one outlives its blockhash, and uses it up whatever becomes of it.

import { createHash } from 'node:crypto';
import {
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually, fundedKeypair, openChain, rpc, send, signedOn } from './chain-under-test.ts';

let url: string;
let connection: Connection;
let payer: Keypair;
let authority: Keypair;

beforeAll(async () => {
  // Short, so that blockhashes expire soon; not so short that they do before a busy machine has signed on one.
  const opened = await openChain({ slotMilliseconds: 10 });
  url = opened.chain.url;
  connection = opened.connection;
  payer = await fundedKeypair(connection);
  authority = Keypair.generate();
});

async function openNonce(): Promise<PublicKey> {
  const nonce = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: authority.publicKey,
    lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
  });
  await send(connection, instructions, [payer, nonce]);
  // A nonce cannot be advanced in the block that gave it its value.
  await nextSlot();
  return nonce.publicKey;
}

async function nextSlot(): Promise<void> {
  const slot = await connection.getSlot();
  await eventually(async () => (await connection.getSlot()) > slot);
}

async function nonceValue(nonce: PublicKey): Promise<string> {
  const account = await connection.getNonce(nonce);
  return account?.nonce ?? '';
}

const advance = (noncePubkey: PublicKey) =>
  SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey: authority.publicKey });

const transfer = (toPubkey: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports });

function onNonce(value: string, nonce: PublicKey, ...instructions: TransactionInstruction[]): Buffer {
  return signedOn(value, [advance(nonce), ...instructions], [payer, authority]).serialize();
}

const refusal = async (wire: Buffer) =>
  (await rpc(url, 'sendTransaction', wire.toString('base64'), { encoding: 'base64' })).error?.data;

test('a new account holds the value that the blockhash of its block gives', async () => {
  const nonce = await openNonce();
  const [created] = await connection.getSignaturesForAddress(nonce, {}, 'confirmed');
  const block = await connection.getBlock(created?.slot ?? -1, {
    commitment: 'confirmed',
    transactionDetails: 'none',
  });
  const expected = createHash('sha256')
    .update('DURABLE_NONCE')
    .update(bs58.decode(block?.blockhash ?? ''))
    .digest();
  expect(await nonceValue(nonce)).toBe(bs58.encode(expected));
});

test('a transaction on a nonce is good when every blockhash of its time has expired', async () => {
  const nonce = await openNonce();
  const value = await nonceValue(nonce);
  const to = Keypair.generate().publicKey;
  const wire = onNonce(value, nonce, transfer(to, LAMPORTS_PER_SOL));
  const start = await connection.getSlot();
  await eventually(async () => (await connection.getSlot()) > start + 160);
  await connection.sendRawTransaction(wire);
  expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  expect(await nonceValue(nonce)).not.toBe(value);
});

describe('a value is used once', () => {
  test('so a second transaction on it is refused', async () => {
    const nonce = await openNonce();
    const value = await nonceValue(nonce);
    const to = Keypair.generate().publicKey;
    await connection.sendRawTransaction(onNonce(value, nonce, transfer(to, LAMPORTS_PER_SOL)));
    expect(await refusal(onNonce(value, nonce, transfer(to, 2 * LAMPORTS_PER_SOL)))).toMatchObject({
      err: 'BlockhashNotFound',
    });
    expect(await refusal(onNonce(value, nonce, transfer(to, LAMPORTS_PER_SOL)))).toMatchObject({
      err: 'BlockhashNotFound',
    });
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  });

  test('also by a transaction that fails: the nonce advances, the fee is taken, nothing else happens', async () => {
    const nonce = await openNonce();
    const value = await nonceValue(nonce);
    const to = Keypair.generate().publicKey;
    const before = await connection.getBalance(payer.publicKey);
    const wire = onNonce(
      value,
      nonce,
      transfer(to, LAMPORTS_PER_SOL),
      transfer(to, 1_000 * LAMPORTS_PER_SOL),
    );
    expect(await refusal(wire)).toMatchObject({ err: { InstructionError: [2, { Custom: 1 }] } });
    expect(await nonceValue(nonce)).toBe(value);

    const signature = await connection.sendRawTransaction(wire, { skipPreflight: true });
    const { value: statuses } = await connection.getSignatureStatuses([signature]);
    expect(statuses[0]?.err).toEqual({ InstructionError: [2, { Custom: 1 }] });
    expect(await connection.getBalance(payer.publicKey)).toBe(before - 10_000);
    expect(await connection.getBalance(to)).toBe(0);
    const next = await nonceValue(nonce);
    expect(next).not.toBe(value);

    await nextSlot();
    await connection.sendRawTransaction(onNonce(next, nonce, transfer(to, LAMPORTS_PER_SOL)));
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  });

  test('and a late copy of an advance cannot touch the value after it', async () => {
    const nonce = await openNonce();
    const copy = onNonce(await nonceValue(nonce), nonce);
    await connection.sendRawTransaction(copy);
    const next = await nonceValue(nonce);
    await nextSlot();
    await connection.sendRawTransaction(copy, { skipPreflight: true });
    expect(await nonceValue(nonce)).toBe(next);
  });
});

test('a nonce is worth nothing without the signature of its authority', async () => {
  const nonce = await openNonce();
  const other = Keypair.generate();
  const instruction = SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: other.publicKey });
  const wire = signedOn(await nonceValue(nonce), [instruction], [payer, other]).serialize();
  expect(await refusal(wire)).toMatchObject({ err: 'BlockhashNotFound' });
});

test('a nonce cannot be advanced twice in one block', async () => {
  // Slots of an hour, so that everything happens in one.
  const slow = await openChain({ slotMilliseconds: 3_600_000 });
  const rich = await fundedKeypair(slow.connection);
  const nonce = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: rich.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: rich.publicKey,
    lamports: LAMPORTS_PER_SOL,
  });
  await send(slow.connection, instructions, [rich, nonce]);
  const account = await slow.connection.getAccountInfo(nonce.publicKey);
  const { nonce: value } = NonceAccount.fromAccountData(account?.data ?? Buffer.alloc(0));
  const again = SystemProgram.nonceAdvance({
    noncePubkey: nonce.publicKey,
    authorizedPubkey: rich.publicKey,
  });
  const tried = await slow.connection
    .sendRawTransaction(signedOn(value, [again], [rich]).serialize())
    .catch(String);
  expect(tried).toMatch(/Blockhash not found/);
  const { blockhash } = await slow.connection.getLatestBlockhash();
  const failed = await rpc(
    slow.chain.url,
    'sendTransaction',
    signedOn(blockhash, [again], [rich]).serialize().toString('base64'),
    { encoding: 'base64' },
  );
  expect(failed.error?.data).toMatchObject({ err: { InstructionError: [0, { Custom: 7 }] } });
  const after = await slow.connection.getAccountInfo(nonce.publicKey);
  expect(after?.data).toEqual(account?.data);
});

test('a chain without nonces admits nothing by one, and makes none; what failed for it still costs its fee', async () => {
  const { dataDir, chain, connection: before } = await openChain({ slotMilliseconds: 10 });
  const rich = await fundedKeypair(before);
  const nonce = Keypair.generate();
  const lamports = await before.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  const account = { fromPubkey: rich.publicKey, authorizedPubkey: rich.publicKey, lamports };
  const made = SystemProgram.createNonceAccount({ ...account, noncePubkey: nonce.publicKey });
  await send(before, made.instructions, [rich, nonce]);
  const value = (await before.getNonce(nonce.publicKey))?.nonce ?? '';
  await chain.close();

  const without = await openChain({ dataDir, slotMilliseconds: 10, nonces: false });
  const again = SystemProgram.nonceAdvance({
    noncePubkey: nonce.publicKey,
    authorizedPubkey: rich.publicKey,
  });
  const onNonceValue = signedOn(value, [again], [rich]).serialize().toString('base64');
  const refused = await rpc(without.chain.url, 'sendTransaction', onNonceValue, { encoding: 'base64' });
  expect(refused.error?.data).toMatchObject({ err: 'BlockhashNotFound' });

  const other = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({ ...account, noncePubkey: other.publicKey });
  const { blockhash } = await without.connection.getLatestBlockhash();
  const wire = signedOn(blockhash, instructions, [rich, other]).serialize();
  const simulated = await rpc(without.chain.url, 'sendTransaction', wire.toString('base64'), {
    encoding: 'base64',
  });
  expect(simulated.error?.data).toMatchObject({ err: { InstructionError: [1, 'InvalidInstructionData'] } });
  const held = await without.connection.getBalance(rich.publicKey);
  await without.connection.sendRawTransaction(wire, { skipPreflight: true });
  expect(await without.connection.getBalance(rich.publicKey)).toBe(held - 10_000);
  expect(await without.connection.getAccountInfo(other.publicKey)).toBeNull();
});
