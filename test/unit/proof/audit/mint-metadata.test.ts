// Metadata are read off a mint as far as they go: what is cut off is none.
import { addressBytes, addressOf, type Extension } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  keyAt,
  metadataOf,
  metadataPointerOf,
  NOBODY,
} from '../../../../src/proof/audit/chain/mint-metadata.ts';
import { ownerOf } from '../../../support/ledger-files.ts';

const [AUTHORITY, MINT] = [ownerOf(1), ownerOf(2)];
const keys = Buffer.concat([addressBytes(AUTHORITY), addressBytes(MINT)]);
const text = (said: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(said));
  return Buffer.concat([length, Buffer.from(said)]);
};
const whole = Buffer.concat([keys, text('Sunrise'), text(''), text('https://levy.example/é')]);
const extension = (type: number, value: Buffer): Extension => ({ type, value });
const [OTHER, POINTER, METADATA] = [1, 18, 19];

describe('the metadata of a mint', () => {
  test('are its name, its symbol and its URI, of which some may be empty', () => {
    expect(metadataOf([extension(OTHER, Buffer.alloc(8)), extension(METADATA, whole)])).toEqual({
      updateAuthority: AUTHORITY,
      mint: MINT,
      name: 'Sunrise',
      symbol: '',
      uri: 'https://levy.example/é',
    });
  });

  test('are none where they are cut off, wherever that is', () => {
    for (let length = 0; length < whole.length; length += 1)
      expect(metadataOf([extension(METADATA, whole.subarray(0, length))]), `${length} bytes`).toBeUndefined();
  });
});

describe('the pointer to the metadata', () => {
  test('names an account, and who may point it elsewhere', () => {
    expect(metadataPointerOf([extension(OTHER, whole), extension(POINTER, keys)])).toEqual({
      authority: AUTHORITY,
      account: MINT,
    });
  });

  test('is none where it is cut off, or not there', () => {
    expect(metadataPointerOf([extension(POINTER, keys.subarray(0, -1))])).toBeUndefined();
    expect(metadataPointerOf([extension(METADATA, keys)])).toBeUndefined();
  });
});

test('a key of zeros is nobody, and a single bit makes it somebody', () => {
  const zeros = Buffer.alloc(64);
  expect(keyAt(zeros, 0)).toBe(NOBODY);
  const last = Buffer.alloc(64);
  last[31] = 1;
  expect(keyAt(last, 0)).toBe(addressOf(last.subarray(0, 32)));
  expect(keyAt(last, 32)).toBe(NOBODY);
});
