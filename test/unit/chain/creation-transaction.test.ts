import { Transaction, VersionedTransaction } from '@solana/web3.js';
import { associatedTokenAddress, decodeLegacyTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as creation from '../../../src/chain/creation-transaction.ts';
import { transactionFee } from '../../../src/chain/durable-transaction.ts';
import { buildCreation, creationInput, creator, keyring, mint } from './creation-input.ts';

const { checkCreationSize, metadataAccountSize } = creation;
const longest = { name: 'N'.repeat(32), symbol: 'S'.repeat(10), uri: 'u'.repeat(80) };
const switches = [true, false].flatMap((transferFeeAdjustable) =>
  [true, false].map((immutableMetadata) => ({ transferFeeAdjustable, immutableMetadata })),
);

describe('the creation transaction', () => {
  const built = buildCreation(creationInput);
  const transaction = Transaction.from(built.unsigned);
  const creatorTokenAccount = associatedTokenAddress(creator.address, mint.address);

  test('is a legacy transaction with no signature, that reads as web3.js writes it', () => {
    expect(decodeLegacyTransaction(built.unsigned)).toMatchObject({ ok: true });
    const parsed = VersionedTransaction.deserialize(built.unsigned);
    expect(parsed.version).toBe('legacy');
    expect(Buffer.from(parsed.serialize())).toEqual(Buffer.from(built.unsigned));
    expect(Buffer.from(parsed.message.serialize())).toEqual(Buffer.from(built.message));
    for (const signature of parsed.signatures) expect(signature).toEqual(new Uint8Array(64));
  });

  test('is paid by the creator and signed by creator, mint and nonce authority only', () => {
    expect(transaction.feePayer?.toBase58()).toBe(creator.address);
    expect(built.signers).toEqual([creator.address, mint.address, keyring.nonceAuthority.address]);
    expect(transaction.signatures.map(({ publicKey }) => publicKey.toBase58())).toEqual(built.signers);
  });

  test('never makes a key of the service writable', () => {
    const { message } = VersionedTransaction.deserialize(built.unsigned);
    const writable = message.staticAccountKeys
      .filter((_, index) => message.isAccountWritable(index))
      .map((key) => key.toBase58());
    expect(new Set(writable)).toEqual(
      new Set([creator.address, mint.address, creationInput.nonceAccount, creatorTokenAccount]),
    );
  });

  test('refuses numbers that would wrap around', () => {
    const wrong = [
      { supply: 2n ** 64n },
      { supply: -1n },
      { transferFeeBasisPoints: 65_536 },
      { decimals: 256 },
      { computeUnitLimit: 2 ** 32 },
      { computeUnitPrice: -1n },
      { mintRent: 2n ** 64n },
    ];
    for (const change of wrong) {
      expect(() => buildCreation({ ...creationInput, ...change })).toThrow(RangeError);
    }
    expect(() => buildCreation({ ...creationInput, mint: 'nobody' })).toThrow(TypeError);
  });
});

describe('the size on the wire', () => {
  test('is known before any key is: it depends on the texts and the two switches only', () => {
    for (const texts of [
      longest,
      { name: 'A', symbol: 'B', uri: '' },
      { ...longest, name: '税'.repeat(10) },
    ]) {
      for (const choice of switches) {
        const { unsigned } = buildCreation({ ...creationInput, ...texts, ...choice });
        expect(checkCreationSize({ ...texts, ...choice }).size).toBe(unsigned.length);
      }
    }
  });

  test('allows a URI of MAX_URI_BYTES beside everything else at its longest, and not one byte more', () => {
    const choice = { transferFeeAdjustable: true, immutableMetadata: true };
    const withUri = (bytes: number) => checkCreationSize({ ...longest, uri: 'u'.repeat(bytes), ...choice });
    expect(withUri(creation.MAX_URI_BYTES).fits).toBe(true);
    expect(withUri(creation.MAX_URI_BYTES + 1).fits).toBe(false);
  });
});

describe('what a creation costs', () => {
  test('counts the metadata of the mint in bytes of UTF-8', () => {
    expect(metadataAccountSize({ name: '', symbol: '', uri: '' })).toBe(346 + 84);
    expect(metadataAccountSize({ name: '税', symbol: 'é', uri: '🪙' })).toBe(346 + 84 + 3 + 2 + 4);
  });

  test('is two signatures and that of the nonce authority, and the priority fee rounded up', () => {
    const parts = { signatures: 3, computeUnitLimit: 60_000 };
    expect(transactionFee({ ...parts, computeUnitPrice: 0n })).toBe(15_000n);
    expect(transactionFee({ ...parts, computeUnitPrice: 1n })).toBe(15_001n);
    expect(transactionFee({ ...parts, computeUnitPrice: 1_000n })).toBe(15_060n);
  });
});
