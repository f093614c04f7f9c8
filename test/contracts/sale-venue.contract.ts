/** Contract of sale venues: their quotes, and their sales as the chain executes them. */

import { describe, expect, test } from 'vitest';
import { saleInstructions } from '../../src/distribution/selling/sale-instructions.ts';
import { ESTIMATE, type Sale, type SaleVenue } from '../../src/distribution/selling/sale-venue.ts';
import { QUOTE_REFUSALS } from '../../src/streams/unsold-reasons.ts';
import { type SaleMachine, token } from './svm/sale-machine.ts';

/** A venue that would buy, over accounts that stay as they are. */
export interface QuotingVenue {
  readonly venue: SaleVenue;
  /** Base units that it would take as they are. */
  readonly takes: bigint;
}

export function saleVenueQuotes(name: string, open: () => Promise<QuotingVenue>): void {
  describe(`a quote of the ${name}`, () => {
    test('never sells more than is wanted, nor for less than its minimum, which is never nothing', async () => {
      const { venue } = await open();
      for (let wanted = 1n; wanted < 2n ** 64n; wanted *= 11n) {
        const quote = await venue.quote(token, wanted, ESTIMATE);
        if ('reason' in quote) {
          expect(Object.keys(QUOTE_REFUSALS)).toContain(quote.reason);
          continue;
        }
        expect(quote.sale).toMatchObject({ venue: venue.name, mint: token.mint, decimals: token.decimals });
        expect(quote.sale.amount).toBeLessThanOrEqual(wanted);
        expect(quote.sale.minimum).toBeGreaterThan(0n);
        expect(quote.expected).toBeGreaterThanOrEqual(quote.sale.minimum);
      }
    });

    test('says by what it is judged where others move the price, and only there', async () => {
      const { venue, takes } = await open();
      const { basis } = await saleOf(venue, takes);
      expect(basis === null).toBe(venue.name === 'desk');
    });

    test('never falls when more is wanted', async () => {
      const { venue, takes } = await open();
      let last = 0n;
      for (let wanted = takes / 100n; wanted <= takes; wanted += takes / 100n) {
        const { expected } = await saleOf(venue, wanted);
        expect(expected).toBeGreaterThanOrEqual(last);
        last = expected;
      }
      expect(last).toBeGreaterThan(0n);
    });

    test('is the same as long as the chain is', async () => {
      const { venue, takes } = await open();
      expect(await venue.quote(token, takes, ESTIMATE)).toEqual(await venue.quote(token, takes, ESTIMATE));
    });

    test('is refused for nothing', async () => {
      const { venue } = await open();
      expect(await venue.quote(token, 0n, ESTIMATE)).toEqual({ reason: 'too-little' });
    });
  });
}

/** A venue that would buy, on a machine that runs what it answers. */
export interface SellingVenue extends QuotingVenue {
  readonly on: SaleMachine;
}

export function saleVenueSales(
  name: string,
  open: () => Promise<SellingVenue>,
  { isSkipped = false }: { readonly isSkipped?: boolean } = {},
): void {
  const sales = describe.skipIf(isSkipped);
  sales(`a sale at the ${name}, executed`, () => {
    test('takes the tokens that were said and brings what was quoted, to the lamport, again and again', async () => {
      const { venue, on, takes } = await open();
      for (const part of [1_000n, 7n, 2n, 1n]) {
        const before = { held: on.held(), inTill: on.inTill() };
        const { sale, expected } = await saleOf(venue, takes / part);
        const { error, logs } = on.sell(venue, sale);
        expect(error, logs.join('\n')).toBeUndefined();
        expect({ sold: before.held - on.held(), brought: on.inTill() - before.inTill }).toEqual({
          sold: sale.amount,
          brought: expected,
        });
      }
    });

    test('lands once, however often it is signed', async () => {
      const { venue, on, takes } = await open();
      const { sale } = await saleOf(venue, takes / 3n);
      const copies = [on.sign(venue, sale), on.sign(venue, sale)];
      const before = on.held();
      expect(copies.map((wire) => on.machine.send(wire).error === undefined)).toEqual([true, false]);
      expect(before - on.held()).toBe(sale.amount);
    });

    test('fails as a whole where it takes more tokens than it says', async () => {
      const { venue, on, takes } = await open();
      const { sale } = await saleOf(venue, takes / 3n);
      const greedy: Sale = { ...sale, amount: sale.amount + 1n };
      expectNothing(on, () =>
        on.sell(venue, sale, { instructions: (accounts) => saleInstructions(greedy, accounts) }),
      );
    });

    test('fails as a whole where it brings less than its minimum', async () => {
      const { venue, on, takes } = await open();
      const { sale, expected } = await saleOf(venue, takes / 3n);
      const dearer: Sale = { ...sale, minimum: expected + 1n };
      expectNothing(on, () =>
        on.sell(venue, dearer, { instructions: (accounts) => saleInstructions(sale, accounts) }),
      );
      // The same where something was carried: what is there already does not count.
      expect(on.sell(venue, sale).error).toBeUndefined();
      const next = await saleOf(venue, takes / 3n);
      expectNothing(on, () =>
        on.sell(
          venue,
          { ...next.sale, minimum: next.expected + 1n },
          { instructions: (accounts) => saleInstructions(next.sale, accounts) },
        ),
      );
    });

    test('fails as a whole where nothing is brought at all', async () => {
      const { venue, on, takes } = await open();
      const { sale } = await saleOf(venue, takes / 3n);
      expectNothing(on, () => on.sell(venue, sale, { instructions: () => [], keys: [] }));
    });
  });
}

async function saleOf(venue: SaleVenue, wanted: bigint) {
  const quote = await venue.quote(token, wanted, ESTIMATE);
  if ('reason' in quote) throw new Error(`refused: ${quote.reason}`);
  return quote;
}

/** It fails, and tokens and lamports stay where they are. */
export function expectNothing(
  on: SaleMachine,
  attempt: () => { readonly error: string | undefined; readonly logs: readonly string[] },
): string {
  const before = [on.held(), on.inTill()];
  const { error, logs } = attempt();
  expect(error).toBeDefined();
  expect([on.held(), on.inTill()]).toEqual(before);
  return logs.join('\n');
}
