// Transactions of all forms against the clients that write them: web3.js for legacy and version 0, kit for version 1.
import {
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
} from '@solana/kit';
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, addressOf } from '../src/address.ts';
import type { DecodeProblem } from '../src/byte-reader.ts';
import { decodeMessage, isVersion1, isWritable } from '../src/message.ts';
import { decodeLegacyTransaction, decodeTransaction } from '../src/transaction.ts';
import { numbered } from './numbered-keys.ts';

const SEED = 20_260_101;
const key = (number: number) => new PublicKey(numbered(number));
const lifetime = numbered(250);

function messageOfWeb3(): TransactionMessage {
  return new TransactionMessage({
    payerKey: key(1),
    recentBlockhash: lifetime,
    instructions: [
      new TransactionInstruction({
        programId: key(9),
        keys: [
          { pubkey: key(2), isSigner: true, isWritable: false },
          { pubkey: key(3), isSigner: false, isWritable: true },
          { pubkey: key(4), isSigner: false, isWritable: false },
        ],
        data: Buffer.from([1, 2, 3]),
      }),
    ],
  });
}

/** Holds the third account, which is written, and the fourth, which is not. */
const table = new AddressLookupTableAccount({
  key: key(100),
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [key(50), key(4), key(3)],
  },
});

const legacy = new VersionedTransaction(messageOfWeb3().compileToLegacyMessage()).serialize();
const version0 = new VersionedTransaction(messageOfWeb3().compileToV0Message([table])).serialize();

function version1Of(config: { readonly fee?: bigint; readonly units?: number; readonly bytes?: number }) {
  const compiled = pipe(
    createTransactionMessage({ version: 1 }),
    (message) => setTransactionMessageFeePayer(address(numbered(1)), message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(lifetime), lastValidBlockHeight: 1n },
        message,
      ),
    (message) =>
      config.fee === undefined ? message : setTransactionMessagePriorityFeeLamports(config.fee, message),
    (message) =>
      config.units === undefined ? message : setTransactionMessageComputeUnitLimit(config.units, message),
    (message) =>
      config.bytes === undefined
        ? message
        : setTransactionMessageLoadedAccountsDataSizeLimit(config.bytes, message),
    (message) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address(numbered(9)),
          accounts: [
            { address: address(numbered(2)), role: 2 },
            { address: address(numbered(3)), role: 1 },
          ],
          data: new Uint8Array(300).fill(7),
        },
        message,
      ),
    (message) => compileTransaction(message),
  );
  return new Uint8Array(getTransactionEncoder().encode(compiled));
}

const version1 = version1Of({ fee: 77n, units: 1_000, bytes: 65_536 });
const forms = { legacy, 'version 0': version0, 'version 1': version1 };

function decoded(wire: Uint8Array) {
  const result = decodeTransaction(wire);
  if (!result.ok) throw new Error(result.reason);
  return result.transaction;
}

/** As the form's own client reads these bytes and writes them again. */
function rewritten(wire: Uint8Array): Buffer {
  return isVersion1(wire)
    ? Buffer.from(getTransactionEncoder().encode(getTransactionDecoder().decode(wire)))
    : Buffer.from(VersionedTransaction.deserialize(wire).serialize());
}

function changed(wire: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(wire);
  copy[at] = value;
  return copy;
}

function problemOf(wire: Uint8Array): DecodeProblem | undefined {
  const result = decodeTransaction(wire);
  return result.ok ? undefined : result.problem;
}

describe('a transaction of the legacy form', () => {
  test('is read as what was written', () => {
    const { message, signatures, bytes } = decoded(legacy);
    expect(bytes).toBe(legacy);
    expect(signatures).toEqual([new Uint8Array(64), new Uint8Array(64)]);
    expect(message.version).toBe('legacy');
    expect(message.accountKeys.map(addressOf)).toEqual([1, 2, 3, 9, 4].map(numbered));
    expect(message.lookups).toEqual([]);
    expect(message.config).toBeUndefined();
    expect(Buffer.from(message.bytes)).toEqual(messageOfWeb3().compileToLegacyMessage().serialize());
  });

  test('may name an account twice here, since only the locks of a cluster refuse it', () => {
    const twice = Uint8Array.from(legacy);
    const keys = 1 + 2 * 64 + 4;
    twice.copyWithin(keys + 3 * 32, keys + 4 * 32, keys + 5 * 32);
    expect(decodeTransaction(twice).ok).toBe(true);
    expect(decodeLegacyTransaction(twice)).toMatchObject({ ok: false, problem: 'unsanitary' });
  });
});

describe('a transaction of version 0', () => {
  test('is read with what it takes from lookup tables', () => {
    const { message } = decoded(version0);
    expect(message.version).toBe(0);
    expect(message.accountKeys.map(addressOf)).toEqual([1, 2, 9].map(numbered));
    expect(message.lookups).toEqual([
      {
        table: addressBytes(numbered(100)),
        writableIndexes: Uint8Array.of(2),
        readonlyIndexes: Uint8Array.of(1),
      },
    ]);
    expect(message.instructions).toEqual([
      { programIndex: 2, accountIndexes: Uint8Array.of(1, 3, 4), data: Uint8Array.of(1, 2, 3) },
    ]);
    expect([0, 1, 2, 3, 4, 5].map((index) => isWritable(message, index, 1))).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(decodeMessage(message.bytes)).toEqual({ ok: true, message });
  });

  test('is refused with a program from a table, an account beyond all tables, or a table for nothing', () => {
    const instruction = 1 + 2 * 64 + 5 + 3 * 32 + 32 + 1;
    expect(problemOf(changed(version0, instruction, 3))).toBe('unsanitary');
    expect(problemOf(changed(version0, instruction + 2, 5))).toBe('unsanitary');
    const empty = version0.length - 4;
    const withoutIndexes = Buffer.concat([version0.subarray(0, empty), Uint8Array.of(0, 0)]);
    expect(problemOf(withoutIndexes)).toBe('unsanitary');
  });
});

describe('a transaction of version 1', () => {
  test('is read with the budget that it carries itself', () => {
    const { message, signatures } = decoded(version1);
    expect(signatures).toEqual([new Uint8Array(64), new Uint8Array(64)]);
    expect(message.version).toBe(1);
    expect(message.accountKeys.map(addressOf)).toEqual([1, 2, 3, 9].map(numbered));
    expect(addressOf(message.recentBlockhash)).toBe(lifetime);
    expect(message.config).toEqual({
      priorityFee: 77n,
      computeUnitLimit: 1_000,
      loadedAccountsDataSizeLimit: 65_536,
      heapSize: null,
    });
    expect(message.instructions).toEqual([
      { programIndex: 3, accountIndexes: Uint8Array.of(1, 2), data: new Uint8Array(300).fill(7) },
    ]);
    expect(decodeMessage(message.bytes)).toEqual({ ok: true, message });
  });

  test('leaves open what it does not carry, and carries numbers of all their bits', () => {
    expect(decoded(version1Of({})).message.config).toEqual({
      priorityFee: null,
      computeUnitLimit: null,
      loadedAccountsDataSizeLimit: null,
      heapSize: null,
    });
    const numbersStart = 8 + 32 + 2 + 4 * 32;
    const largest = Uint8Array.from(version1).fill(0xff, numbersStart, numbersStart + 8 + 4 + 4);
    expect(decoded(largest).message.config).toEqual({
      priorityFee: 2n ** 64n - 1n,
      computeUnitLimit: 2 ** 32 - 1,
      loadedAccountsDataSizeLimit: 2 ** 32 - 1,
      heapSize: null,
    });
  });

  test('is refused with a configuration that nobody knows, and with half a priority fee', () => {
    for (const mask of [0x20, 0x80, 1, 2]) expect(problemOf(changed(version1, 4, mask))).toBe('malformed');
    expect(problemOf(changed(version1, 7, 0x80))).toBe('malformed');
  });

  test('is refused above the limits of its version', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => new Uint8Array(32).fill(index + 1));
    const message = (signers: number, accounts: number, instructions: number, twice = false) =>
      Buffer.concat([
        Uint8Array.of(0x81, signers, 0, 0, 0, 0, 0, 0),
        new Uint8Array(32).fill(250),
        Uint8Array.of(instructions, accounts),
        ...keys(accounts).map((bytes, index) => (twice && index === 1 ? bytes.fill(1) : bytes)),
        ...Array.from({ length: instructions }, () => Uint8Array.of(1, 0, 0, 0)),
      ]);
    expect(decodeMessage(message(12, 64, 64)).ok).toBe(true);
    for (const bytes of [
      message(13, 64, 64),
      message(12, 65, 64),
      message(12, 64, 65),
      message(1, 2, 1, true),
    ]) {
      expect(decodeMessage(bytes)).toMatchObject({ ok: false, problem: 'unsanitary' });
    }
  });

  test('is refused without its signatures', () => {
    expect(problemOf(Uint8Array.of(0x81, 255))).toBe('malformed');
    expect(problemOf(version1.subarray(0, -64))).not.toBeUndefined();
  });
});

test('a version that is not there yet is refused', () => {
  expect(problemOf(changed(legacy, 1 + 2 * 64, 0x82))).toBe('malformed');
  expect(decodeMessage(Uint8Array.of(0xff))).toMatchObject({ ok: false, problem: 'malformed' });
});

describe.each(Object.entries(forms))('bytes of %s', (_form, wire) => {
  test('are refused when cut off anywhere, and with one byte more', () => {
    for (let length = 0; length < wire.length; length += 1) {
      expect(problemOf(wire.subarray(0, length))).not.toBeUndefined();
    }
    expect(problemOf(Buffer.concat([wire, Uint8Array.of(0)]))).not.toBeUndefined();
  });

  test('are written back byte for byte by their client whenever they are accepted', () => {
    const mutation = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('append' as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
    );
    const mutated = fc.array(mutation, { maxLength: 3 }).map((changes) => {
      let bytes = Buffer.from(wire);
      for (const change of changes) {
        if (change.kind === 'append') {
          bytes = Buffer.concat([bytes, change.bytes]);
          continue;
        }
        const at = bytes.length === 0 ? 0 : change.at % bytes.length;
        if (change.kind === 'set') bytes[at] = change.byte;
        else if (change.kind === 'cut') bytes = bytes.subarray(0, at);
        else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at / 2)]);
      }
      return bytes;
    });
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), (bytes) => {
        if (!decodeTransaction(bytes).ok) return true;
        accepted += 1;
        // `expect` compares byte by byte, which takes most of the time of thousands of runs.
        return Buffer.compare(rewritten(bytes), bytes) === 0;
      }),
      { seed: SEED, numRuns: wire === legacy ? 5_000 : 1_000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
