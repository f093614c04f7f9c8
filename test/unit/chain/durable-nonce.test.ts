import { NonceAccount, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as nonces from '../../../src/chain/durable-nonce.ts';
import { createKeyring } from '../../../src/chain/keys.ts';

const { feePayer, nonceAuthority, nonceAccount } = createKeyring(new Uint8Array(32).fill(3));
const account = nonceAccount(0).address;
const value = addressOf(new Uint8Array(32).fill(77));
const key = (address: string) => new PublicKey(address);

describe('whether a chain has durable nonces', () => {
  test.each([
    ['the account is made', undefined, true],
    [
      'the account cannot be made a nonce account',
      '{"InstructionError":[1,"InvalidInstructionData"]}',
      false,
    ],
    ['the same, told otherwise', '{"InstructionError": [1, "InvalidArgument"]}', false],
    ['the rent rose', '{"InstructionError":[1,"InsufficientFunds"]}', undefined],
    ['there is no blockhash yet', '{"InstructionError":[1,{"Custom":6}]}', undefined],
    ['the payer has too little', '{"InstructionError":[0,{"Custom":1}]}', undefined],
    ['the payer has nothing', '"AccountNotFound"', undefined],
    ['no error of the chain', 'AccountNotFound', undefined],
  ])('is told by the creation of an account: %s', (_what, error, expected) => {
    expect(nonces.showsNonces(error)).toBe(expected);
  });
});

describe('nonce account data', () => {
  function data(version: number, state: number): Buffer {
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(version, 0);
    bytes.writeUInt32LE(state, 4);
    bytes.set(nonceAuthority.publicKey, 8);
    bytes.fill(77, 40, 72);
    bytes.writeBigUInt64LE(2n ** 60n + 5000n, 72);
    return bytes;
  }

  test('say authority, value and price, as web3.js reads them', () => {
    const decoded = nonces.decodeNonceAccount(data(1, 1));
    expect(decoded).toEqual({
      authority: nonceAuthority.address,
      value,
      lamportsPerSignature: 2n ** 60n + 5000n,
    });
    const theirs = NonceAccount.fromAccountData(data(1, 1));
    expect(theirs.nonce).toBe(value);
    expect(theirs.authorizedPubkey.toBase58()).toBe(nonceAuthority.address);
  });

  test('say nothing when uninitialized, of the version that is no longer usable, or of another size', () => {
    for (const bytes of [data(1, 0), data(0, 1), data(2, 1), data(1, 2), data(1, 1).subarray(1)]) {
      expect(nonces.decodeNonceAccount(bytes)).toBeUndefined();
    }
    expect(nonces.decodeNonceAccount(Buffer.concat([data(1, 1), Buffer.alloc(1)]))).toBeUndefined();
    expect(nonces.decodeNonceAccount(new Uint8Array(0))).toBeUndefined();
  });
});

describe('the advance that kills', () => {
  const advance = { feePayer, nonceAuthority, nonceAccount: account, value };
  const built = nonces.buildNonceAdvance(advance);

  test('is a nonce transaction on the value that it kills, and does nothing else', () => {
    const { message } = VersionedTransaction.deserialize(built.wire);
    expect(message.recentBlockhash).toBe(value);
    expect(message.compiledInstructions).toHaveLength(1);
    const [only] = Transaction.from(built.wire).instructions;
    const expected = SystemProgram.nonceAdvance({
      noncePubkey: key(account),
      authorizedPubkey: key(nonceAuthority.address),
    });
    expect(only?.data).toEqual(expected.data);
    expect(only?.keys.map(({ pubkey }) => pubkey.toBase58())).toEqual(
      expected.keys.map(({ pubkey }) => pubkey.toBase58()),
    );
  });

  test('is paid by the fee payer and signed by both keys', () => {
    const transaction = Transaction.from(built.wire);
    expect(transaction.feePayer?.toBase58()).toBe(feePayer.address);
    expect(transaction.signatures.map(({ publicKey }) => publicKey.toBase58())).toEqual([
      feePayer.address,
      nonceAuthority.address,
    ]);
    expect(transaction.verifySignatures()).toBe(true);
    expect(built.signature).toBe(bs58.encode(transaction.signature ?? new Uint8Array()));
  });
});
