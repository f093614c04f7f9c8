import { createHash, randomBytes } from 'node:crypto';
import { CID } from 'multiformats/cid';
import { sha256 } from 'multiformats/hashes/sha2';
import { describe, expect, test } from 'vitest';
import { imageCid as cidOf, sha256OfCid } from '../../../../src/server/images/image-cid.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base32 (RFC 4648, lower case, no padding), written out here so that it does not come from the library. */
function base32(bytes: Uint8Array): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

function cidByHand(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest();
  return `b${base32(Buffer.concat([Buffer.of(0x01, 0x55, 0x12, 0x20), digest]))}`;
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const imageCid = (bytes: Uint8Array) => cidOf(sha256Of(bytes));

describe('the CID of an image', () => {
  test('is version 1, raw, sha2-256, base32 of exactly the bytes', async () => {
    for (const length of [0, 1, 31, 1000]) {
      const bytes = randomBytes(length);
      expect(imageCid(bytes)).toBe(cidByHand(bytes));
      const parsed = CID.parse(imageCid(bytes));
      expect(parsed.version).toBe(1);
      expect(parsed.code).toBe(0x55);
      expect(parsed.multihash).toEqual(await sha256.digest(bytes));
    }
  });

  test('is the well-known one for the empty input', () => {
    expect(imageCid(new Uint8Array())).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku');
  });

  test('contains the SHA-256', () => {
    for (let round = 0; round < 100; round += 1) {
      const bytes = randomBytes(16);
      expect(sha256OfCid(imageCid(bytes))).toBe(sha256Of(bytes));
    }
  });

  test('is nothing else: other versions, codecs, hashes, bases, cases and paths are refused', async () => {
    const cid = imageCid(Buffer.from('x'));
    const parsed = CID.parse(cid);
    const strayBits = cid.slice(0, -1) + ALPHABET[ALPHABET.indexOf(cid.slice(-1)) | 1];
    const others = [
      '',
      CID.createV0(await sha256.digest(Buffer.from('x'))).toString(),
      CID.createV1(0x70, parsed.multihash).toString(),
      CID.createV1(0x0200, parsed.multihash).toString(),
      cid.toUpperCase(),
      `${cid}a`,
      cid.slice(0, -1),
      `${cid}\n`,
      `../${cid}`,
      strayBits,
      cid.replace(/.$/, '1'),
    ];
    for (const other of others) expect(sha256OfCid(other), JSON.stringify(other)).toBeUndefined();
  });
});
