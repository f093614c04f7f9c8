import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../src/address.ts';
import type { DecodeProblem } from '../src/byte-reader.ts';
import { compileLegacyMessage } from '../src/compile-message.ts';
import { decodeLegacyMessage } from '../src/message.ts';
import { decodeLegacyTransaction, PACKET_SIZE, unsignedTransaction } from '../src/transaction.ts';
import { numbered } from './numbered-keys.ts';

const compiled = compileLegacyMessage({
  payer: numbered(1),
  recentBlockhash: numbered(250),
  instructions: [
    {
      program: numbered(9),
      accounts: [
        { address: numbered(2), signer: true, writable: false },
        { address: numbered(3), signer: false, writable: true },
      ],
      data: Uint8Array.of(1, 2, 3),
    },
  ],
});
const wire = unsignedTransaction(compiled.bytes);
/** Where the message begins: a count and two signatures. */
const start = 1 + 2 * 64;
const keysStart = start + 4;
const instructionStart = keysStart + 4 * 32 + 32 + 1;

function changed(at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(wire);
  copy[at] = value;
  return copy;
}

function spliced(at: number, remove: number, ...insert: number[]): Uint8Array {
  return Buffer.concat([wire.subarray(0, at), Uint8Array.from(insert), wire.subarray(at + remove)]);
}

function expectProblem(bytes: Uint8Array, problem: DecodeProblem): void {
  expect(decodeLegacyTransaction(bytes)).toEqual({ ok: false, problem, reason: expect.any(String) });
}

describe('decoding a legacy transaction', () => {
  test('gives back what was compiled', () => {
    const decoded = decodeLegacyTransaction(wire);
    if (!decoded.ok) throw new Error(decoded.reason);
    const { signatures, message } = decoded.transaction;
    expect(signatures).toEqual([new Uint8Array(64), new Uint8Array(64)]);
    expect(message.version).toBe('legacy');
    expect(message.bytes).toEqual(compiled.bytes);
    expect(message.accountKeys.map(addressOf)).toEqual([1, 2, 3, 9].map(numbered));
    expect(addressOf(message.recentBlockhash)).toBe(numbered(250));
    expect([message.requiredSignatures, message.readonlySigned, message.readonlyUnsigned]).toEqual([2, 1, 1]);
    expect(message.instructions).toEqual([
      { programIndex: 3, accountIndexes: Uint8Array.of(1, 2), data: Uint8Array.of(1, 2, 3) },
    ]);
    expect(decodeLegacyMessage(message.bytes)).toEqual({ ok: true, message });
  });

  test('refuses it cut off at any byte', () => {
    for (let length = 0; length < wire.length; length += 1) {
      expectProblem(wire.subarray(0, length), 'truncated');
    }
  });

  test('refuses bytes after its end', () => {
    expectProblem(spliced(wire.length, 0, 0), 'trailing-bytes');
    expectProblem(spliced(wire.length, 0, 1, 2, 3), 'trailing-bytes');
  });

  test('refuses what does not fit a packet, and takes what just does', () => {
    const ofSize = (size: number) => {
      const data = new Uint8Array(size - 1 - 64 - 3 - 1 - 2 * 32 - 32 - 1 - 1 - 1 - 2);
      const { bytes } = compileLegacyMessage({
        payer: numbered(1),
        recentBlockhash: numbered(250),
        instructions: [{ program: numbered(9), accounts: [], data }],
      });
      return unsignedTransaction(bytes);
    };
    expect(ofSize(PACKET_SIZE)).toHaveLength(1232);
    expect(decodeLegacyTransaction(ofSize(PACKET_SIZE)).ok).toBe(true);
    expectProblem(ofSize(PACKET_SIZE + 1), 'oversized');
  });

  test('says so when it is versioned', () => {
    const message = new TransactionMessage({
      payerKey: new PublicKey(numbered(1)),
      recentBlockhash: numbered(250),
      instructions: [
        new TransactionInstruction({
          programId: new PublicKey(numbered(9)),
          keys: [],
          data: Buffer.from([1]),
        }),
      ],
    }).compileToV0Message();
    expectProblem(new VersionedTransaction(message).serialize(), 'versioned');
    expectProblem(Uint8Array.of(0x81, ...new Uint8Array(4000)), 'versioned');
    expect(decodeLegacyMessage(message.serialize())).toMatchObject({ ok: false, problem: 'versioned' });
  });

  test('refuses counts that are not in their shortest form', () => {
    expectProblem(spliced(0, 1, 0x82, 0x00), 'malformed');
    expectProblem(spliced(start + 3, 1, 0x84, 0x00), 'malformed');
    expectProblem(spliced(start + 3, 1, 0x84, 0x80, 0x00), 'malformed');
    expectProblem(spliced(instructionStart - 1, 1, 0x81, 0x00), 'malformed');
    expectProblem(spliced(instructionStart + 1, 1, 0x82, 0x00), 'malformed');
  });

  test('refuses counts of more than 16 bits', () => {
    expectProblem(spliced(start + 3, 1, 0xff, 0xff, 0x04), 'malformed');
    expectProblem(spliced(start + 3, 1, 0xff, 0xff, 0xff, 0x01), 'malformed');
  });

  test('refuses counts that cannot fit into what follows', () => {
    expectProblem(spliced(start + 3, 1, 0xff, 0xff, 0x03), 'truncated');
    expectProblem(spliced(instructionStart - 1, 1, 0xff, 0xff, 0x03), 'truncated');
    expectProblem(changed(instructionStart + 1, 0x7f), 'truncated');
    expectProblem(changed(instructionStart + 4, 4), 'truncated');
  });

  test('refuses another number of signatures than the message needs', () => {
    expectProblem(Buffer.concat([Uint8Array.of(1), wire.subarray(65)]), 'unsanitary');
    expectProblem(Buffer.concat([Uint8Array.of(3), new Uint8Array(64), wire.subarray(1)]), 'unsanitary');
    expectProblem(Buffer.concat([Uint8Array.of(0), compiled.bytes]), 'unsanitary');
  });

  test('refuses headers that leave no payer or count more accounts than there are', () => {
    expectProblem(changed(start, 0), 'unsanitary');
    expectProblem(changed(start + 1, 2), 'unsanitary');
    expectProblem(changed(start + 2, 3), 'unsanitary');
  });

  test('refuses an account key that is there twice', () => {
    const twice = Uint8Array.from(wire);
    twice.set(wire.subarray(keysStart, keysStart + 32), keysStart + 64);
    expectProblem(twice, 'unsanitary');
  });

  test('refuses instructions that refer to accounts that are not there, or to the payer as a program', () => {
    expectProblem(changed(instructionStart, 4), 'unsanitary');
    expectProblem(changed(instructionStart, 0), 'unsanitary');
    expectProblem(changed(instructionStart + 2, 4), 'unsanitary');
    expectProblem(changed(instructionStart + 3, 255), 'unsanitary');
  });

  test('never throws, and never takes what web3.js would not write just so', () => {
    const mutation = fc.record({ at: fc.nat(wire.length - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const bytes = Uint8Array.from(wire);
        for (const { at, value } of mutations) bytes[at] = value;
        if (!decodeLegacyTransaction(bytes).ok) return;
        expect(Buffer.from(VersionedTransaction.deserialize(bytes).serialize())).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => !decodeLegacyTransaction(bytes).ok));
  });
});
