// Lamports that were lent for an account go back to the distributor: what cannot have been lent is none.
import { describe, expect, test } from 'vitest';
import { reserveOf } from '../../../src/chain/reserve.ts';
import { ChainAnswerInvalid } from '../../../src/kernel/ports/chain.ts';
import { tokenAccount } from '../../support/run-examples.ts';

describe('what was lent for an account of wrapped SOL', () => {
  function account(reserve: bigint, lamports = 10_000_000_000n) {
    const shown = tokenAccount({ amount: 5n });
    const data = Buffer.from(shown.data);
    data.writeBigUInt64LE(reserve, 113);
    return { ...shown, data, lamports };
  }

  test('is what it says, as far as that can be', () => {
    expect([reserveOf(undefined), reserveOf(account(2_039_280n))]).toEqual([0n, 2_039_280n]);
  });

  test.each([
    ['more than any rent', account(2_039_281n)],
    ['3 SOL', account(3_000_000_000n)],
    ['more than it holds', account(2_039_280n, 2_039_279n)],
  ])('is not believed: %s', (_what, shown) => {
    expect(() => reserveOf(shown)).toThrow(ChainAnswerInvalid);
  });
});
