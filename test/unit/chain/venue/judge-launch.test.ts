import { addressBytes, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { judgeLaunch } from '../../../../src/chain/venue/judge-launch.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { buyer, issuedLaunch, mint, otherPosition } from './launch-example.ts';
import { recorded } from './recorded-accounts.ts';

const pool = recorded('pool-at-start');
const position = recorded('position');

function withBytes(account: ChainAccount, offset: number, bytes: Uint8Array): ChainAccount {
  const data = Uint8Array.from(account.data);
  data.set(bytes, offset);
  return { ...account, data };
}

function u128(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(value & (2n ** 64n - 1n));
  bytes.writeBigUInt64LE(value >> 64n, 8);
  return bytes;
}

describe('a launch', () => {
  test('has landed when its position is in its pool and both are as they were issued', () => {
    expect(judgeLaunch(issuedLaunch, { pool, position })).toMatchObject({ creator: issuedLaunch.creator });
  });

  test('has still landed when others have bought from the pool or put more into it', () => {
    expect(judgeLaunch(issuedLaunch, { pool: recorded('pool-after-sale'), position })).toBeDefined();
    const more = withBytes(pool, 360, u128(issuedLaunch.liquidity * 3n));
    expect(judgeLaunch(issuedLaunch, { pool: more, position })).toBeDefined();
  });
});

describe('what is on the chain is not the launch that was issued', () => {
  test('when the pool is there and our position is not: somebody else was first', () => {
    expect(judgeLaunch(issuedLaunch, { pool, position: undefined })).toBeUndefined();
    expect(
      judgeLaunch(issuedLaunch, { pool: recorded('pool-of-somebody-else'), position: undefined }),
    ).toBeUndefined();
  });

  const others: [string, ChainAccount | undefined, ChainAccount][] = [
    ['another creator', withBytes(pool, 648, buyer.publicKey), position],
    ['another token', withBytes(pool, 168, buyer.publicKey), position],
    ['another quote', withBytes(pool, 200, buyer.publicKey), position],
    [
      'the pair turned round',
      withBytes(withBytes(pool, 168, pool.data.subarray(200, 232)), 200, mint.publicKey),
      position,
    ],
    ['a lower first price', withBytes(pool, 424, u128(issuedLaunch.sqrtMinPrice - 1n)), position],
    ['a lower highest price', withBytes(pool, 440, u128(issuedLaunch.sqrtMaxPrice - 1n)), position],
    ['less in it', withBytes(pool, 360, u128(issuedLaunch.liquidity - 1n)), position],
    ['liquidity that is not locked', withBytes(pool, 552, u128(0n)), position],
    ['a part that is not locked', withBytes(pool, 552, u128(issuedLaunch.liquidity - 1n)), position],
    ['no pool', undefined, position],
    ['a pool of another program', { ...pool, owner: SYSTEM_PROGRAM }, position],
    ['an empty pool account', { ...pool, data: new Uint8Array() }, position],
    ['a position in another pool', pool, withBytes(position, 8, addressBytes(otherPosition.address))],
    ['a position of another mint', pool, withBytes(position, 40, otherPosition.publicKey)],
    ['a position of another program', pool, { ...position, owner: SYSTEM_PROGRAM }],
    ['lamports sent to the position', pool, { ...position, owner: SYSTEM_PROGRAM, data: new Uint8Array() }],
  ];
  test.each(others)('with %s', (_what, otherPool, otherPositionAccount) => {
    expect(judgeLaunch(issuedLaunch, { pool: otherPool, position: otherPositionAccount })).toBeUndefined();
  });
});
