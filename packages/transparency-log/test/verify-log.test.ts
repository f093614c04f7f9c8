// Whoever reads a whole log is shown everything that does not follow from its entries, and who has not signed it.
import { describe, expect, test } from 'vitest';
import {
  createGrowingTree,
  ED25519,
  entryBundle,
  NoteInvalid,
  noteKey,
  policyOfLog,
  signCheckpoint,
  verifyLog,
} from '../src/index.ts';
import { signerOf } from './signers.ts';

const ORIGIN = 'levy.example/log';
const SIGNER = signerOf(7);
const SIZE = 600;
const ENTRIES = Array.from({ length: SIZE }, (_, index) => {
  const entry = Buffer.alloc(32);
  entry.writeUInt32BE(index);
  return entry;
});
const CHANGED = ENTRIES.with(300, Buffer.alloc(32, 9));
const KEY = noteKey(ORIGIN, ED25519, SIGNER.publicKey);

type Files = ReadonlyMap<string, Uint8Array>;

/** A log of these entries, as everybody can read it; its checkpoint may be another's. */
function published(entries: readonly Uint8Array[], signed = entries): Files {
  const files = new Map<string, Uint8Array>();
  const tree = createGrowingTree();
  for (const entry of entries) for (const { name, bytes } of tree.add(entry)) files.set(name, bytes);
  const last = entries.slice(-(entries.length % 256));
  files.set(`tile/entries/002.p/${last.length}`, entryBundle(last));
  const whole = createGrowingTree();
  for (const entry of signed) whole.add(entry);
  const checkpoint = { origin: ORIGIN, size: signed.length, root: whole.root() };
  return files.set('checkpoint', Buffer.from(signCheckpoint(checkpoint, SIGNER)));
}

const HONEST = published(ENTRIES);

const verified = (files: Files, key = KEY) => verifyLog(async (path) => files.get(path), policyOfLog(key));

function withFile(name: string, change: (bytes: Buffer) => Uint8Array): Files {
  return new Map(HONEST).set(name, change(Buffer.from(HONEST.get(name) ?? [])));
}

function without(name: string): Files {
  return new Map([...HONEST].filter(([each]) => each !== name));
}

/** The last bit of a file, turned. */
function spoiled(bytes: Buffer): Uint8Array {
  return bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1);
}

describe('a log', () => {
  test('holds when its entries give its tiles and its root', async () => {
    expect([...HONEST.keys()].sort()).toEqual([
      'checkpoint',
      'tile/0/000',
      'tile/0/001',
      'tile/entries/000',
      'tile/entries/001',
      'tile/entries/002.p/88',
    ]);
    const told: (readonly [number, number])[] = [];
    const { checkpoint, witnesses } = await verifyLog(
      async (path) => HONEST.get(path),
      policyOfLog(KEY),
      (entries, of) => told.push([entries, of]),
    );
    expect(checkpoint).toMatchObject({ origin: ORIGIN, size: SIZE });
    expect(witnesses).toEqual([]);
    expect(told).toEqual([
      [256, SIZE],
      [512, SIZE],
      [SIZE, SIZE],
    ]);
  });

  test.each<[string, Files, RegExp]>([
    ['has no checkpoint', without('checkpoint'), /^the checkpoint is missing$/],
    ['has a checkpoint that was changed', withFile('checkpoint', (bytes) => spoiled(bytes)), /sign|note/],
    [
      'lacks a bundle of entries',
      without('tile/entries/001'),
      /^tile\/entries\/001 is missing, or not a bundle of 256 entries$/,
    ],
    [
      'lacks the last entries',
      without('tile/entries/002.p/88'),
      /^tile\/entries\/002\.p\/88 is missing, or not a bundle of 88 entries$/,
    ],
    [
      'has a bundle with an entry too few',
      withFile('tile/entries/000', (bytes) => bytes.subarray(34)),
      /^tile\/entries\/000 is missing, or not a bundle of 256 entries$/,
    ],
    [
      'has a bundle with an entry too many',
      withFile('tile/entries/000', (bytes) => Buffer.concat([bytes, bytes.subarray(0, 34)])),
      /^tile\/entries\/000 is missing, or not a bundle of 256 entries$/,
    ],
    [
      'has entries behind those that were signed',
      withFile('tile/entries/002.p/88', (bytes) => Buffer.concat([bytes, bytes.subarray(0, 34)])),
      /^tile\/entries\/002\.p\/88 is missing, or not a bundle of 88 entries$/,
    ],
    [
      'has an empty bundle',
      withFile('tile/entries/002.p/88', () => new Uint8Array()),
      /^tile\/entries\/002\.p\/88 is missing, or not a bundle of 88 entries$/,
    ],
    [
      'has a bundle of something else',
      withFile('tile/entries/001', (bytes) => bytes.fill(7)),
      /^tile\/entries\/001 is missing, or not a bundle of 256 entries$/,
    ],
    ['lacks a tile', without('tile/0/001'), /^tile\/0\/001 is missing, or differs from its entries$/],
    [
      'has a tile with another hash',
      withFile('tile/0/000', spoiled),
      /^tile\/0\/000 is missing, or differs from its entries$/,
    ],
    [
      'has a tile that is cut off',
      withFile('tile/0/000', (bytes) => bytes.subarray(32)),
      /^tile\/0\/000 is missing, or differs from its entries$/,
    ],
    [
      'has another entry',
      withFile('tile/entries/001', spoiled),
      /^tile\/0\/001 is missing, or differs from its entries$/,
    ],
    [
      'has another entry among the last',
      withFile('tile/entries/002.p/88', spoiled),
      /^the root of the entries differs from the root of the checkpoint$/,
    ],
    [
      'was made anew around another entry',
      published(CHANGED, ENTRIES),
      /^the root of the entries differs from the root of the checkpoint$/,
    ],
  ])('does not hold when it %s', async (_what, files, message) => {
    const error: unknown = await verified(files).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoteInvalid);
    expect((error as NoteInvalid).message).toMatch(message);
  });

  test('does not hold when another key than the expected one has signed it', async () => {
    const other = noteKey(ORIGIN, ED25519, new Uint8Array(32).fill(3));
    await expect(verified(HONEST, other)).rejects.toThrow(NoteInvalid);
  });
});

test('a log without entries holds', async () => {
  const checkpoint = { origin: ORIGIN, size: 0, root: createGrowingTree().root() };
  const note = Buffer.from(signCheckpoint(checkpoint, SIGNER));
  expect((await verified(new Map([['checkpoint', note]]))).checkpoint.size).toBe(0);
});
