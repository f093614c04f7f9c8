// Payments are written by hand; `recorded-instructions.test.ts` compares their bytes with what spl-token built.
import * as spl from '@solana/spl-token';
import fc from 'fast-check';
import { addressOf, type Instruction, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  taxedTransferInstruction,
  transferSol,
  unwrapLamports,
} from '../../../src/chain/payment-instructions.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const move = fc.record({ from: address, to: address, authority: address, lamports: u64 });

describe('amounts', () => {
  test('that do not fit are refused and never cut off', () => {
    const [from, to, authority, mint] = [1, 2, 3, 4].map((fill) => addressOf(new Uint8Array(32).fill(fill)));
    if (!from || !to || !authority || !mint) throw new Error('four addresses were made');
    for (const amount of [-1n, 2n ** 64n]) {
      const transfer = { from, to, authority, lamports: amount };
      expect(() => transferSol(transfer)).toThrow(RangeError);
      expect(() => unwrapLamports(transfer)).toThrow(RangeError);
      const taxed = { mint, decimals: 6, from, to, authority };
      expect(() => taxedTransferInstruction({ ...taxed, amount, fee: 0n })).toThrow(RangeError);
      expect(() => taxedTransferInstruction({ ...taxed, amount: 1n, fee: amount })).toThrow(RangeError);
    }
  });
});

describe('a batch', () => {
  test('holds each instruction in order, behind its numbers of accounts and of bytes', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 61 }), (moves) => {
        const parts = moves.map(unwrapLamports);
        const { accounts, data } = batchOf(parts);
        expect(accounts).toEqual(parts.flatMap((part) => part.accounts));
        expect(data[0]).toBe(255);
        const read: number[][] = [];
        for (let at = 1; at < data.length; ) {
          const [count = 0, length = 0] = data.subarray(at, at + 2);
          expect(count).toBe(3);
          read.push([...data.subarray(at + 2, at + 2 + length)]);
          at += 2 + length;
        }
        expect(read).toEqual(parts.map((part) => [...part.data]));
      }),
    );
  });

  test('takes instructions of the token program alone, of at most 255 accounts and 255 bytes', () => {
    const account = { address: addressOf(new Uint8Array(32)), signer: false, writable: false };
    const instruction = (accounts: number, bytes: number): Instruction => ({
      program: spl.TOKEN_PROGRAM_ID.toBase58(),
      accounts: Array.from({ length: accounts }, () => account),
      data: new Uint8Array(bytes),
    });
    expect(batchOf([instruction(255, 255)]).accounts).toHaveLength(255);
    expect(() => batchOf([instruction(256, 1)])).toThrow(RangeError);
    expect(() => batchOf([instruction(1, 256)])).toThrow(RangeError);
    expect(() => batchOf([{ ...instruction(1, 1), program: TOKEN_2022_PROGRAM }])).toThrow(TypeError);
  });
});
