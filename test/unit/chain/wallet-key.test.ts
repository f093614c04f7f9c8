import { ed25519 } from '@noble/curves/ed25519.js';
import { PublicKey } from '@solana/web3.js';
import { addressBytes, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  pointOfOrderEight,
  smallOrderEncodings,
  smallOrderPoints,
} from '../../../packages/solana-wire/test/small-order.ts';
import { createKeyPair } from '../../../src/chain/keys.ts';
import { isWalletKey } from '../../../src/chain/wallet-key.ts';

describe('a wallet key', () => {
  test('is any key that is generated as the standard says', () => {
    for (let index = 0; index < 20; index += 1) {
      expect(isWalletKey(createKeyPair(new Uint8Array(32).fill(index)).publicKey)).toBe(true);
    }
  });

  test('is none of the eight points of small order, however they are encoded', () => {
    expect(smallOrderPoints()).toHaveLength(8);
    for (const point of smallOrderPoints()) expect(isWalletKey(point.toBytes())).toBe(false);
    for (const encoding of smallOrderEncodings()) expect(isWalletKey(encoding)).toBe(false);
  });

  test('has no torsion component', () => {
    const honest = ed25519.Point.fromHex(createKeyPair(new Uint8Array(32).fill(1)).publicKey);
    expect(isWalletKey(honest.add(pointOfOrderEight()).toBytes())).toBe(false);
  });

  test('is no program-derived address', () => {
    for (let index = 0; index < 20; index += 1) {
      const program = new PublicKey(new Uint8Array(32).fill(9));
      const [vault] = PublicKey.findProgramAddressSync([Uint8Array.of(index)], program);
      expect(isWalletKey(vault.toBytes())).toBe(false);
    }
  });

  test('is no other encoding of a point: y must be below the field prime', () => {
    const fieldPrime = 2n ** 255n - 19n;
    for (let y = 0n; y < 19n; y += 1n) {
      const bytes = Buffer.from((fieldPrime + y).toString(16).padStart(64, '0'), 'hex').reverse();
      expect(isWalletKey(bytes)).toBe(false);
    }
  });

  test('has 32 bytes and is not the system program', () => {
    expect(isWalletKey(new Uint8Array(31))).toBe(false);
    expect(isWalletKey(new Uint8Array(33))).toBe(false);
    expect(isWalletKey(addressBytes(SYSTEM_PROGRAM))).toBe(false);
  });
});
