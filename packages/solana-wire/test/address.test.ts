import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, addressOf, parseAddress } from '../src/address.ts';
import * as programIds from '../src/program-ids.ts';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('addresses', () => {
  test('every 32 bytes have one address, the one that web3.js writes, and it reads back', () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        expect(addressOf(bytes)).toBe(new PublicKey(bytes).toBase58());
        expect(parseAddress(addressOf(bytes))).toEqual(bytes);
      }),
    );
  });

  test('32 zero bytes are the system program', () => {
    expect(addressOf(new Uint8Array(32))).toBe(programIds.SYSTEM_PROGRAM);
  });

  test('those of programs have the bytes that any other decoder finds', () => {
    for (const address of Object.values(programIds)) {
      expect(Buffer.from(addressBytes(address))).toEqual(new PublicKey(address).toBuffer());
    }
  });

  test('texts that stand for more or fewer than 32 bytes are no addresses', () => {
    for (const length of [0, 1, 31, 33, 64]) {
      expect(parseAddress(bs58.encode(new Uint8Array(length).fill(200)))).toBeUndefined();
    }
    expect(parseAddress('1'.repeat(31))).toBeUndefined();
    expect(parseAddress('1'.repeat(33))).toBeUndefined();
    expect(parseAddress('z'.repeat(44))).toBeUndefined();
    expect(parseAddress('1'.repeat(100_000))).toBeUndefined();
  });

  test('letters outside of base58, and blanks around an address, are refused', () => {
    const address = addressOf(new Uint8Array(32).fill(9));
    for (const letter of ['0', 'O', 'I', 'l', ' ', 'é', '\n']) {
      expect(parseAddress(letter + address.slice(1))).toBeUndefined();
    }
    expect(parseAddress(` ${address}`)).toBeUndefined();
    expect(() => addressBytes('not an address')).toThrow(TypeError);
    expect(() => addressOf(new Uint8Array(31))).toThrow(TypeError);
  });
});
