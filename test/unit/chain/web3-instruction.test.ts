import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as system from '../../../src/chain/system-instructions.ts';
import { asNumber, fitting, instructionOf, publicKey } from '../../../src/chain/web3-instruction.ts';

const [one = '', other = ''] = [1, 2].map((fill) => addressOf(new Uint8Array(32).fill(fill)));

describe('instructions of the libraries', () => {
  test('name their program and accounts in base58, whoever made the keys', () => {
    const keys = [
      { pubkey: publicKey(one), isSigner: true, isWritable: false },
      { pubkey: new PublicKey(other), isSigner: false, isWritable: true },
    ];
    const programId = new PublicKey(addressOf(new Uint8Array(32)));
    const instruction = new TransactionInstruction({ keys, programId, data: Buffer.of(1, 2) });
    const expected = {
      program: '11111111111111111111111111111111',
      accounts: [
        { address: one, signer: true, writable: false },
        { address: other, signer: false, writable: true },
      ],
      data: Buffer.of(1, 2),
    };
    expect(instructionOf(instruction)).toEqual(expected);
    // The second time the addresses are known.
    expect(instructionOf(instruction)).toEqual(expected);
  });

  test('are not made of what is no address', () => {
    expect(publicKey(one).toBase58()).toBe(one);
    expect(() => publicKey('nobody')).toThrow(TypeError);
  });
});

describe('numbers that their field cannot hold', () => {
  test.each([8, 16, 32] as const)('are refused: %d bits', (bits) => {
    const most = 2 ** bits - 1;
    expect([fitting(0, bits), fitting(most, bits)]).toEqual([0, most]);
    for (const wrong of [-1, most + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => fitting(wrong, bits)).toThrow(RangeError);
  });

  test('are refused as bigints', () => {
    expect([fitting(0n, 64), fitting(2n ** 64n - 1n, 64)]).toEqual([0n, 2n ** 64n - 1n]);
    for (const wrong of [-1n, 2n ** 64n]) expect(() => fitting(wrong, 64)).toThrow(RangeError);
  });

  test('are refused where web3.js takes a number that would not be exact', () => {
    expect([asNumber(0n), asNumber(2n ** 53n - 1n)]).toEqual([0, 2 ** 53 - 1]);
    for (const wrong of [-1n, 2n ** 53n]) expect(() => asNumber(wrong)).toThrow(RangeError);
  });

  test('are refused in transfers', () => {
    expect(() => system.transferInstruction({ from: one, to: other, lamports: 2n ** 64n })).toThrow(
      RangeError,
    );
  });
});

describe('the data of system instructions', () => {
  const transfer = (lamports: bigint) => system.transferInstruction({ from: one, to: other, lamports }).data;

  test('say what a transfer moves', () => {
    for (const lamports of [0n, 1n, 2n ** 64n - 1n])
      expect(system.transferredLamports(transfer(lamports))).toBe(lamports);
  });

  test('are of no transfer where anything else stands there', () => {
    const data = Buffer.from(transfer(5n));
    const others = [
      Buffer.alloc(0),
      data.subarray(0, 3),
      data.subarray(0, 11),
      Buffer.concat([data, Buffer.of(0)]),
      Buffer.concat([Buffer.of(11, 0, 0, 0), data.subarray(4)]),
      Buffer.concat([Buffer.of(255, 255, 255, 255), data.subarray(4)]),
    ];
    for (const other of others) expect(system.transferredLamports(other)).toBeUndefined();
  });

  test('allocate with a seed, or do not', () => {
    const account = { address: one, base: other, seed: 'a seed', space: 165, owner: one };
    expect(system.isAllocateWithSeed(system.allocateWithSeedInstruction(account).data)).toBe(true);
    for (const data of [transfer(5n), new Uint8Array(0), Uint8Array.of(9), Uint8Array.of(9, 0, 0, 1)])
      expect(system.isAllocateWithSeed(data)).toBe(false);
  });
});
