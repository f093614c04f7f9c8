// The pointer and the metadata of a mint are read where they are whole.
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
const extension = (type: number, value: Buffer): Extension => ({ type, value });
const [OTHER, POINTER, METADATA] = [1, 18, 19];

test('metadata that are cut off are none', () => {
  expect(metadataOf([extension(METADATA, keys)])).toBeUndefined();
});

describe('the pointer to the metadata', () => {
  test('names an account, and who may point it elsewhere', () => {
    expect(metadataPointerOf([extension(OTHER, keys), extension(POINTER, keys)])).toEqual({
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
