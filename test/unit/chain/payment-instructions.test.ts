// Payments are written by hand: they are compared with what spl-token builds.
import * as spl from '@solana/spl-token';
import fc from 'fast-check';
import { addressOf, type Instruction, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  transferSol,
  transferTaxed,
  unwrapLamports,
} from '../../../src/chain/payment-instructions.ts';
import { instructionOf, publicKey } from '../../../src/chain/web3-instruction.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const move = fc.record({ from: address, to: address, authority: address, lamports: u64 });

/** Data as numbers, since the two sides hold them in arrays of different kinds. */
const plain = ({ program, accounts, data }: Instruction) => ({ program, accounts, data: [...data] });

describe('the instructions of payments are byte for byte those of spl-token', () => {
  test('a transfer of wrapped SOL', () => {
    fc.assert(
      fc.property(move, (transfer) => {
        const { from, to, authority, lamports } = transfer;
        const theirs = spl.createTransferInstruction(
          publicKey(from),
          publicKey(to),
          publicKey(authority),
          lamports,
        );
        expect(plain(transferSol(transfer))).toEqual(plain(instructionOf(theirs)));
      }),
    );
  });

  test('a payment in a taxed token', () => {
    const payment = fc.record({
      mint: address,
      decimals: fc.integer({ min: 0, max: 255 }),
      from: address,
      to: address,
      authority: address,
      amount: u64,
      fee: u64,
    });
    fc.assert(
      fc.property(payment, (transfer) => {
        const { mint, decimals, from, to, authority, amount, fee } = transfer;
        const theirs = spl.createTransferCheckedWithFeeInstruction(
          publicKey(from),
          publicKey(mint),
          publicKey(to),
          publicKey(authority),
          amount,
          decimals,
          fee,
        );
        expect(plain(transferTaxed(transfer))).toEqual(plain(instructionOf(theirs)));
      }),
    );
  });

  test('amounts that do not fit are refused and never cut off', () => {
    const [from, to, authority, mint] = [1, 2, 3, 4].map((fill) => addressOf(new Uint8Array(32).fill(fill)));
    if (!from || !to || !authority || !mint) throw new Error('four addresses were made');
    for (const amount of [-1n, 2n ** 64n]) {
      const transfer = { from, to, authority, lamports: amount };
      expect(() => transferSol(transfer)).toThrow(RangeError);
      expect(() => unwrapLamports(transfer)).toThrow(RangeError);
      const taxed = { mint, decimals: 6, from, to, authority };
      expect(() => transferTaxed({ ...taxed, amount, fee: 0n })).toThrow(RangeError);
      expect(() => transferTaxed({ ...taxed, amount: 1n, fee: amount })).toThrow(RangeError);
    }
  });
});

describe('what spl-token does not build', () => {
  test('a payment in lamports says how many, behind a 1 that stands for "not all"', () => {
    fc.assert(
      fc.property(move, (payment) => {
        const { accounts, data } = unwrapLamports(payment);
        expect(accounts).toEqual(transferSol(payment).accounts);
        const amount = Buffer.alloc(8);
        amount.writeBigUInt64LE(payment.lamports);
        expect([...data]).toEqual([spl.TokenInstruction.UnwrapLamports, 1, ...amount]);
      }),
    );
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
