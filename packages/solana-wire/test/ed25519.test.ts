import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { importSeed, isSmallOrderEncoding, sign, verify } from '../src/ed25519.ts';
import { numberedKey } from './numbered-keys.ts';
import { smallOrderEncodings } from './small-order.ts';

const pair = numberedKey(5);
const message = Buffer.from('what is signed');
const signature = pair.sign(message);
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function asBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

describe('verifying a signature', () => {
  test('accepts the key, the message and the signature that belong together', () => {
    expect(verify(pair.publicKey, message, signature)).toBe(true);
  });

  test('keeps keys apart however many it has seen', () => {
    for (let number = 0; number < 1_100; number += 1) {
      const { publicKey } = importSeed(createHash('sha256').update(`key ${number}`).digest());
      expect(verify(publicKey, message, signature)).toBe(false);
      if (number % 100 === 0) expect(verify(pair.publicKey, message, signature)).toBe(true);
    }
    expect(verify(pair.publicKey, message, signature)).toBe(true);
  });

  test('accepts views into larger buffers', () => {
    const joined = Buffer.concat([pair.publicKey, signature, message]);
    expect(verify(joined.subarray(0, 32), joined.subarray(96), joined.subarray(32, 96))).toBe(true);
  });

  test('refuses one changed bit anywhere', () => {
    for (const [part, bytes] of Object.entries({ key: pair.publicKey, message, signature })) {
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = Uint8Array.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ 1;
        const parts = { key: pair.publicKey, message, signature, [part]: changed };
        expect(verify(parts.key, parts.message, parts.signature)).toBe(false);
      }
    }
  });

  test('refuses wrong lengths instead of throwing', () => {
    for (const length of [0, 31, 33, 64])
      expect(verify(new Uint8Array(length), message, signature)).toBe(false);
    for (const length of [0, 63, 65, 128]) {
      expect(verify(pair.publicKey, message, new Uint8Array(length))).toBe(false);
    }
  });

  test('refuses a second signature that is made from the first by adding the group order', () => {
    const malleated = Buffer.concat([
      signature.subarray(0, 32),
      littleEndian(asBigInt(signature.subarray(32)) + groupOrder),
    ]);
    expect(verify(pair.publicKey, message, malleated)).toBe(false);
  });

  test('refuses the forged signature that the equation accepts for the identity key on every message, as some OpenSSL do', () => {
    const identity = Uint8Array.of(1, ...new Uint8Array(31));
    const forged = Buffer.concat([identity, new Uint8Array(32)]);
    expect(ed25519.verify(forged, message, identity, { zip215: true })).toBe(true);
    expect(verify(identity, message, forged)).toBe(false);
  });

  test('refuses, as validators do, a signature whose commitment is the identity', () => {
    const { scalar } = ed25519.utils.getExtendedPublicKey(new Uint8Array(32).fill(5));
    const identity = Uint8Array.of(1, ...new Uint8Array(31));
    const challenge = asBigInt(ed25519.CURVE.hash(Buffer.concat([identity, pair.publicKey, message])));
    const degenerate = Buffer.concat([identity, littleEndian((challenge * scalar) % groupOrder)]);
    expect(ed25519.verify(degenerate, message, pair.publicKey, { zip215: true })).toBe(true);
    expect(verify(pair.publicKey, message, degenerate)).toBe(false);
  });

  test('knows all encodings of small order and no other', () => {
    expect(smallOrderEncodings()).toHaveLength(14);
    for (const encoding of smallOrderEncodings()) {
      expect(isSmallOrderEncoding(encoding)).toBe(true);
      expect(verify(encoding, message, signature)).toBe(false);
    }
    expect(isSmallOrderEncoding(pair.publicKey)).toBe(false);
  });
});

describe('importing a seed', () => {
  test('gives the public key that the curve gives, and a private key that signs as the library of web3.js does', () => {
    for (let number = 0; number < 200; number += 1) {
      const seed = createHash('sha256').update(`seed ${number}`).digest();
      const { privateKey, publicKey } = importSeed(seed);
      expect(Buffer.from(publicKey)).toEqual(Buffer.from(ed25519.getPublicKey(seed)));
      const signature = sign(privateKey, message);
      expect(Buffer.from(signature)).toEqual(Buffer.from(ed25519.sign(message, seed)));
      expect(verify(publicKey, message, signature)).toBe(true);
    }
  });
});
