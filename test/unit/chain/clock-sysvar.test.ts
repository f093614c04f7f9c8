import { SYSVAR_CLOCK_PUBKEY } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { CLOCK_SYSVAR, decodeChainClock } from '../../../src/chain/clock-sysvar.ts';

const DATA = Buffer.alloc(40);
DATA.writeBigUInt64LE(385_000_000n, 0);
DATA.writeBigInt64LE(1_779_000_000n, 8);
DATA.writeBigInt64LE(1_779_012_345n, 32);

test('the clock is read where the chain keeps it', () => {
  expect(CLOCK_SYSVAR).toBe(SYSVAR_CLOCK_PUBKEY.toBase58());
  expect(decodeChainClock(DATA)).toEqual({ slot: 385_000_000n, time: 1_779_012_345 });
});

test('data of another size are no clock', () => {
  expect(decodeChainClock(DATA.subarray(1))).toBeUndefined();
  expect(decodeChainClock(new Uint8Array())).toBeUndefined();
});
