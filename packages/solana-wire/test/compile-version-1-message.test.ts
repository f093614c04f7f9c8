// Messages of version 1 that we compile, read and written again by the client that knows the form best: kit.
import { getCompiledTransactionMessageDecoder, getCompiledTransactionMessageEncoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../src/address.ts';
import { compileVersion1Message, type Version1MessageInput } from '../src/compile-message.ts';
import { decodeMessage, isWritable } from '../src/message.ts';
import {
  decodeTransaction,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
} from '../src/transaction.ts';
import { numbered } from './numbered-keys.ts';

const address = fc.integer({ min: 0, max: 12 }).map(numbered);
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const config = fc.record(
  {
    priorityFee: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    computeUnitLimit: u32,
    loadedAccountsDataSizeLimit: u32,
    heapSize: u32,
  },
  { requiredKeys: [] },
);
const instruction = fc.record({
  program: fc.integer({ min: 20, max: 24 }).map(numbered),
  accounts: fc.array(fc.record({ address, signer: fc.boolean(), writable: fc.boolean() }), { maxLength: 8 }),
  data: fc.uint8Array({ maxLength: 300 }),
});
const input: fc.Arbitrary<Version1MessageInput> = fc
  .record({
    payer: address,
    instructions: fc.array(instruction, { maxLength: 4 }),
    recentBlockhash: fc.constant(numbered(250)),
    config,
  })
  .filter(
    ({ instructions }) =>
      new Set(instructions.flatMap(({ accounts }) => accounts.filter((a) => a.signer).map((a) => a.address)))
        .size < 12,
  );

describe('compiling a version 1 message', () => {
  test('gives what kit reads and writes again to the byte', () => {
    fc.assert(
      fc.property(input, (message) => {
        const { bytes } = compileVersion1Message(message);
        const read = getCompiledTransactionMessageDecoder().decode(bytes);
        expect(read.version).toBe(1);
        expect(Buffer.from(getCompiledTransactionMessageEncoder().encode(read))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('keeps every instruction, role and configured value', () => {
    fc.assert(
      fc.property(input, (given) => {
        const decoded = decodeMessage(compileVersion1Message(given).bytes);
        if (!decoded.ok) throw new Error(decoded.reason);
        const { message } = decoded;
        const keys = message.accountKeys.map(addressOf);
        const instructions = message.instructions.map(({ programIndex, accountIndexes, data }) => ({
          program: keys[programIndex],
          accounts: [...accountIndexes].map((index) => keys[index]),
          data: Buffer.from(data),
        }));
        expect(keys[0]).toBe(given.payer);
        expect(instructions).toEqual(
          given.instructions.map(({ program, accounts, data }) => ({
            program,
            accounts: accounts.map((account) => account.address),
            data: Buffer.from(data),
          })),
        );
        const metas = given.instructions.flatMap(({ accounts }) => accounts);
        for (const [index, key] of keys.entries()) {
          const uses = metas.filter((meta) => meta.address === key);
          expect(index < message.requiredSignatures).toBe(index === 0 || uses.some(({ signer }) => signer));
          expect(isWritable(message, index, 0)).toBe(index === 0 || uses.some(({ writable }) => writable));
        }
        expect(message.config).toEqual({
          priorityFee: given.config.priorityFee ?? null,
          computeUnitLimit: given.config.computeUnitLimit ?? null,
          loadedAccountsDataSizeLimit: given.config.loadedAccountsDataSizeLimit ?? null,
          heapSize: given.config.heapSize ?? null,
        });
      }),
    );
  });

  test('says how many bytes the signed transaction takes, with its signatures behind the message', () => {
    fc.assert(
      fc.property(input, (message) => {
        const { bytes, signers, transactionSize } = compileVersion1Message(message);
        expect(unsignedTransaction(bytes)).toHaveLength(transactionSize);
        const signatures = new Map(
          signers.map((signer, index) => [signer, new Uint8Array(64).fill(index + 1)]),
        );
        const wire = signTransaction(bytes, signatures);
        const decoded = decodeTransaction(wire);
        if (!decoded.ok) throw new Error(decoded.reason);
        expect(decoded.transaction.signatures.map((signature) => signature[0])).toEqual(
          signers.map((_, index) => index + 1),
        );
        expect(transactionSignature(wire)).toBe(addressOfSignature(1));
      }),
    );
  });

  test('refuses more accounts, instructions, signatures or account uses than the form can hold', () => {
    const using = (count: number, signer: boolean) => [
      {
        program: numbered(200),
        accounts: Array.from({ length: count }, (_, index) => ({
          address: numbered(index),
          signer,
          writable: false,
        })),
        data: new Uint8Array(),
      },
    ];
    const compiled = (instructions: Version1MessageInput['instructions']) =>
      compileVersion1Message({
        payer: numbered(0),
        recentBlockhash: numbered(250),
        instructions,
        config: {},
      });
    expect(compiled(using(63, false)).bytes[41]).toBe(64);
    expect(() => compiled(using(64, false))).toThrow('at most 64 accounts');
    expect(compiled(using(12, true)).signers).toHaveLength(12);
    expect(() => compiled(using(13, true))).toThrow('at most 12 signatures');
    expect(compiled(Array.from({ length: 64 }, () => using(1, false)).flat()).bytes[40]).toBe(64);
    expect(() => compiled(Array.from({ length: 65 }, () => using(1, false)).flat())).toThrow(
      'at most 64 instructions',
    );
    const [one] = using(1, false);
    const account = { address: numbered(1), signer: false, writable: true };
    const crowded = { program: numbered(200), accounts: Array(256).fill(account), data: new Uint8Array() };
    expect(() => compiled(one === undefined ? [] : [one, crowded])).toThrow('at most 255 accounts');
    expect(() => compiled([{ ...crowded, accounts: [], data: new Uint8Array(65_536) }])).toThrow(
      '65,535 bytes',
    );
  });
});

function addressOfSignature(first: number): string {
  const wire = new Uint8Array(65).fill(first);
  wire[0] = 1;
  return transactionSignature(wire);
}
