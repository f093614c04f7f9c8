import { CpAmm, type PoolState, type PositionState } from '@meteora-ag/cp-amm-sdk';
import { Connection } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodePool,
  decodePosition,
  POOL_SIZE,
  POSITION_SIZE,
} from '../../../../src/chain/venue/venue-accounts.ts';
import { recorded } from './recorded-accounts.ts';
import { big } from './sdk-numbers.ts';

const { coder } = new CpAmm(new Connection('http://127.0.0.1:9'))._program;

describe("the venue's accounts", () => {
  test('are read as its own SDK reads them, wherever each byte stands', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    fc.assert(
      fc.property(bytes(POOL_SIZE - 8), bytes(POSITION_SIZE - 8), (poolBytes, positionBytes) => {
        const poolData = Buffer.concat([recorded('pool-at-start').data.subarray(0, 8), poolBytes]);
        // Of the flags only the activation's kind is read, and it has two values.
        poolData[480] = (poolData[480] ?? 0) % 2;
        const pool: PoolState = coder.accounts.decode('pool', poolData);
        expect(decodePool(poolData)).toMatchObject({
          liquidity: big(pool.liquidity),
          lockedLiquidity: big(pool.permanentLockLiquidity),
          sqrtPrice: big(pool.sqrtPrice),
          creator: pool.creator.toBase58(),
        });
        const positionData = Buffer.concat([recorded('position').data.subarray(0, 8), positionBytes]);
        const position: PositionState = coder.accounts.decode('position', positionData);
        expect(decodePosition(positionData)).toEqual({
          pool: position.pool.toBase58(),
          positionMint: position.nftMint.toBase58(),
          unlockedLiquidity: big(position.unlockedLiquidity),
          vestedLiquidity: big(position.vestedLiquidity),
          lockedLiquidity: big(position.permanentLockedLiquidity),
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('bytes that are no account of the venue', () => {
  test('are not read: too short, of another kind, or with an activation that does not exist', () => {
    const pool = recorded('pool-at-start').data;
    const position = recorded('position').data;
    expect(decodePool(position)).toBeUndefined();
    expect(decodePosition(pool)).toBeUndefined();
    expect(decodePool(pool.subarray(0, POOL_SIZE - 1))).toBeUndefined();
    expect(decodePosition(position.subarray(0, POSITION_SIZE - 1))).toBeUndefined();
    const unknown = Uint8Array.from(pool);
    unknown[480] = 2;
    expect(decodePool(unknown)).toBeUndefined();
  });
});
