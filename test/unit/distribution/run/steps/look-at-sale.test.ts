// A market is looked at once at each moment that was drawn: between two of them nothing is sold, however good the price is.
import { expect, test } from 'vitest';
import { lookAtSale } from '../../../../../src/distribution/run/steps/split.ts';
import type { PriceReference } from '../../../../../src/distribution/selling/price-reference.ts';
import type { Markets, SaleQuote } from '../../../../../src/distribution/selling/sale-venue.ts';
import type { Chain } from '../../../../../src/kernel/ports/chain.ts';
import { TaxCollected } from '../../../../../src/streams/distribution-run.ts';
import {
  linksLanded,
  linksRecorded,
  runOpened,
  saleBasis,
  taxCollected,
} from '../../../../support/distribution-examples.ts';
import { addresses } from '../../../../support/domain-examples.ts';
import { NOW, only, stepAt, TOKEN, taxedMint } from '../../../../support/run-examples.ts';

const { at: _at, ...basis } = saleBasis;
const GOOD: SaleQuote = {
  sale: {
    venue: 'meteora',
    mint: addresses.mint,
    decimals: 6,
    market: addresses.creator,
    amount: 7n,
    minimum: 1n,
  },
  expected: 1n,
  basis,
};
const LOW: SaleQuote = { reason: 'price-below-reference' };

const PRICE: PriceReference = { sqrtPrice: 1n, samples: 40, from: 0, to: 1 };

const collected = TaxCollected({ ...taxCollected.data, at: '2026-05-04T11:00:20.000Z' });

const stepWith = (parts: Parameters<typeof stepAt>[1] = {}) =>
  stepAt([runOpened, linksRecorded, linksLanded, collected], parts);
const chain = only<Chain>('the chain', {
  epoch: async () => 702n,
  accounts: async () => [taxedMint({ supply: 1_000_000n, withheld: 0n })],
});

test('after a look at a low price a good one is sold at the next moment, and not before', async () => {
  // No moment comes later than ten minutes after the collection.
  let now = Date.parse('2026-05-04T11:10:30.000Z');
  let quote: readonly [SaleQuote] = [LOW];
  const at = stepWith({
    parts: {
      clock: { now: () => new Date(now) },
      chain,
      markets: only<Markets>('the markets', { quote: async () => quote[0] }),
    },
  });
  const look = async () => {
    const facts = await lookAtSale(at);
    if (!('selling' in facts)) throw new Error('nothing is sold yet');
    return facts.selling;
  };
  const waiting = await look();
  if (waiting.kind !== 'wait') throw new Error('a low price is waited with');
  expect(waiting.reason).toBe('price-below-reference');

  quote = [GOOD];
  now = waiting.until - 1;
  expect(await look()).toMatchObject({ until: waiting.until });
  now = waiting.until;
  expect(await look()).toMatchObject({ kind: 'sell' });
});

test('a sale is judged by the price that was watched, and by what sales of other links have moved', async () => {
  const asked: unknown[] = [];
  const look = async (watched: PriceReference | undefined) => {
    const at = stepWith({
      parts: {
        chain,
        markets: only<Markets>('the markets', {
          async quote(_token, _wanted, bounds) {
            asked.push(bounds);
            return LOW;
          },
        }),
        prices: { want: () => {}, of: (of) => (of === TOKEN.mint ? watched : undefined) },
      },
    });
    const impacts = [1, 9].map((number) => ({ number, till: '', at: NOW.toISOString(), impact: 70 }));
    await lookAtSale({ ...at, view: { ...at.view, state: { ...at.view.state, impacts } } });
  };
  await look(undefined);
  await look(PRICE);
  expect(asked).toEqual([
    { moved: 70n, reference: 'unknown' },
    { moved: 70n, reference: PRICE },
  ]);
});
