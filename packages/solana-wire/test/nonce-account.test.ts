// Nonce accounts against web3.js, which reads the same layout.
import { NonceAccount } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../src/address.ts';
import { sha256 } from '../src/bytes.ts';
import {
  NONCE_ACCOUNT_SIZE,
  nonceValueAfter,
  readNonceAccount,
  withNonceValue,
} from '../src/nonce-account.ts';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

function accountData(version: number, state: number, authority = new Uint8Array(32).fill(5)): Buffer {
  const data = Buffer.alloc(NONCE_ACCOUNT_SIZE);
  data.writeUInt32LE(version, 0);
  data.writeUInt32LE(state, 4);
  data.set(authority, 8);
  data.fill(77, 40, 72);
  data.writeBigUInt64LE(5_000n, 72);
  return data;
}

describe('a nonce account', () => {
  test('says authority, value and price, as web3.js reads them', () => {
    fc.assert(
      fc.property(bytes32, bytes32, (authority, value) => {
        const data = withNonceValue(accountData(1, 1, authority), { value, lamportsPerSignature: 5_001n });
        const theirs = NonceAccount.fromAccountData(data);
        const ours = readNonceAccount(data);
        expect(ours && addressOf(ours.authority)).toBe(theirs.authorizedPubkey.toBase58());
        expect(ours && addressOf(ours.value)).toBe(theirs.nonce);
        expect(ours?.lamportsPerSignature).toBe(BigInt(theirs.feeCalculator.lamportsPerSignature));
      }),
    );
  });

  test('keeps its bytes when another value is put into a copy of it', () => {
    const data = accountData(1, 1);
    const before = Buffer.from(data);
    const after = withNonceValue(data, {
      value: new Uint8Array(32).fill(9),
      lamportsPerSignature: 2n ** 60n,
    });
    expect(data).toEqual(before);
    expect(readNonceAccount(after)).toEqual({
      authority: Buffer.alloc(32, 5),
      value: Buffer.alloc(32, 9),
      lamportsPerSignature: 2n ** 60n,
    });
  });

  test('is found inside of a larger buffer', () => {
    const larger = Buffer.concat([Buffer.alloc(5), accountData(1, 1)]);
    expect(readNonceAccount(larger.subarray(5))?.value).toEqual(Buffer.alloc(32, 77));
  });

  test('says nothing when uninitialized, of the version that is no longer usable, or of another size', () => {
    for (const [version, state] of [
      [1, 0],
      [0, 1],
      [2, 1],
      [1, 2],
    ] as const) {
      expect(readNonceAccount(accountData(version, state))).toBeUndefined();
    }
    for (const data of [accountData(1, 1).subarray(1), Buffer.concat([accountData(1, 1), Buffer.alloc(1)])]) {
      expect(readNonceAccount(data)).toBeUndefined();
    }
    expect(readNonceAccount(new Uint8Array(0))).toBeUndefined();
  });
});

test('the next value follows from a blockhash, and no value is a blockhash', () => {
  fc.assert(
    fc.property(bytes32, (blockhash) => {
      expect(nonceValueAfter(blockhash)).toEqual(sha256(Buffer.from('DURABLE_NONCE'), blockhash));
      expect(nonceValueAfter(blockhash)).not.toEqual(sha256(blockhash));
    }),
  );
});
