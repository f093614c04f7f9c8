// What the operator's page says of a checkpoint: whose signature it checks, and what only witnesses' names tell.
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  COSIGNATURE,
  ED25519,
  noteKey,
  signatureLine,
  signCheckpoint,
  verifierKey,
} from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { readCheckpoint } from '../../../console/src/checkpoint.ts';

function signer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    sign: (message: Uint8Array) => sign(null, message, privateKey),
  };
}

const log = signer();
const keyOf = (name: string, publicKey: Uint8Array) => verifierKey(noteKey(name, ED25519, publicKey));
const note = signCheckpoint({ origin: 'levy.example/log', size: 26, root: new Uint8Array(32).fill(3) }, log);
const key = `${keyOf('levy.example/log', log.publicKey)}\n`;

describe('a checkpoint', () => {
  test('is signed by the key of its log', () => {
    expect(readCheckpoint(note, key)).toEqual({
      origin: 'levy.example/log',
      size: 26,
      root: 'AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=',
      isSigned: true,
      cosigned: [],
    });
  });

  test('is not signed by another key, for another log, or for another size', () => {
    expect(readCheckpoint(note, keyOf('levy.example/log', signer().publicKey)).isSigned).toBe(false);
    expect(readCheckpoint(note, keyOf('levy.example/other', log.publicKey)).isSigned).toBe(false);
    expect(readCheckpoint(note.replace('\n26\n', '\n27\n'), key).isSigned).toBe(false);
  });

  test('names its witnesses with the moment that each says, and none where there is no moment', () => {
    const witness = (name: string, bytes: Uint8Array) =>
      `${signatureLine(noteKey(name, COSIGNATURE, new Uint8Array(32)), bytes)}\n`;
    const time = Buffer.alloc(72);
    time.writeBigUInt64BE(1_790_000_000n);
    const absurd = Buffer.alloc(72, 255);
    const signed = note + witness('w/1', time) + witness('w/2', new Uint8Array(64)) + witness('w/3', absurd);
    expect(readCheckpoint(signed, key)).toMatchObject({
      isSigned: true,
      cosigned: [
        { name: 'w/1', at: '2026-09-21T14:13:20.000Z' },
        { name: 'w/2', at: undefined },
        { name: 'w/3', at: undefined },
      ],
    });
  });
});
