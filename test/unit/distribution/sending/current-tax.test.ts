// The tax that the chain takes now: a rate that is set today applies from an epoch on.
import { expect, test } from 'vitest';
import { readTaxedMint, taxedMintIn } from '../../../../src/distribution/sending/current-tax.ts';
import { type Chain, ChainAnswerInvalid } from '../../../../src/kernel/ports/chain.ts';
import { only, TOKEN, taxedMint, tokenAccount } from '../../../support/run-examples.ts';

/** The example's rates are of epoch 700 and, from then on, of epoch 702. */
const shown = taxedMint({ supply: 1_000n, withheld: 70n });

function nodeIn(epoch: bigint) {
  const asked: unknown[] = [];
  const chain = only<Chain>('the chain', {
    epoch: async () => epoch,
    async accounts(...how) {
      asked.push(how);
      return [shown];
    },
  });
  return { chain, asked };
}

test.each([
  [701n, 700n],
  [702n, 702n],
  [703n, 702n],
])('in epoch %i the rate of epoch %i applies', async (epoch, applies) => {
  const { now, older, newer, ...mint } = await readTaxedMint(nodeIn(epoch).chain, TOKEN.mint);
  expect([now.epoch, older.epoch, newer.epoch]).toEqual([applies, 700n, 702n]);
  expect(mint).toEqual({ supply: 1_000n, withheld: 70n, epoch });
});

test('a caller may ask for a slot', async () => {
  const { chain, asked } = nodeIn(702n);
  await readTaxedMint(chain, TOKEN.mint, { atLeastSlot: 42n });
  expect(asked).toEqual([[[TOKEN.mint], 'confirmed', { atLeastSlot: 42n }]]);
});

test('what is no mint with a tax is an invalid answer', () => {
  for (const account of [undefined, tokenAccount({ amount: 1n })])
    expect(() => taxedMintIn(account, TOKEN.mint)).toThrow(ChainAnswerInvalid);
});
