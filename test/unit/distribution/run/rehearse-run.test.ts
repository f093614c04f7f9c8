// A preview's run: the deciders of the engine's steps, one after another, with what a look finds now.
import { describe, expect, test } from 'vitest';
import type { RunEstimate } from '../../../../src/distribution/run/estimate-run.ts';
import {
  type Rehearsed,
  rehearsedAmounts,
  rehearseRun,
} from '../../../../src/distribution/run/rehearse-run.ts';
import { decideSplit } from '../../../../src/distribution/run/steps/split.ts';
import type { SaleQuote } from '../../../../src/distribution/selling/sale-venue.ts';
import { type DistributionState, distribution } from '../../../../src/streams/distribution.ts';
import { token as tokenStream } from '../../../../src/streams/token.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';
import {
  linksLanded,
  linksRecorded,
  runId,
  runOpened,
  saleBasis,
  serviceTerms,
} from '../../../support/distribution-examples.ts';
import { addresses, ids, tokenCreated } from '../../../support/domain-examples.ts';
import { NOW, OWNERS, recordedBy, SUMS, TOKEN, viewOf } from '../../../support/run-examples.ts';

const created = tokenStream.evolve(tokenStream.initial, tokenCreated);
if (created === undefined) throw new Error('the example has a token');
const RATE = { epoch: 700n, basisPoints: 300, maximumFee: 1_000_000_000n };
const sale: Extract<SaleQuote, { outcome: 'sale' }> = {
  outcome: 'sale',
  sale: {
    venue: 'meteora',
    mint: TOKEN.mint,
    decimals: 6,
    market: addresses.otherNonceAccount,
    amount: 90_000n,
    minimum: 4_900_000n,
  },
  expected: 5_000_000n,
  basis: null,
};
const ESTIMATE: RunEstimate = {
  collectable: 100_000n,
  kept: 0n,
  burned: 10_000n,
  sold: 90_000n,
  proceeds: 5_000_000n,
  quote: sale,
  unsold: undefined,
  fees: 100_000n,
};

function facts(given: Partial<Rehearsed> = {}, asset: 'sol' | 'token' = 'sol'): Rehearsed {
  if (created === undefined) throw new Error('the example has a token');
  const settings = {
    ...created.settings,
    burnBasisPoints: 1_000,
    developerFeeBasisPoints: 1_000,
    sellBasisPoints: 10_000,
  };
  return {
    token: TOKEN,
    run: {
      runId,
      created: { ...created, settings },
      owners: { keptOut: [], listedIn: [] },
      tax: { older: RATE, newer: RATE, epoch: 702n },
      asset,
      terms: serviceTerms,
    },
    found: { slots: [4_098n, 4_101n], accounts: 6, owners: 4, sums: SUMS },
    owners: OWNERS,
    estimate: ESTIMATE,
    now: NOW,
    ...given,
  };
}

const rehearsed = (given?: Rehearsed, state: DistributionState = distribution.initial) =>
  rehearseRun({ tokenId: ids.tokenId, state: deepFreeze(state) }, given ?? facts());

describe('a rehearsed run', () => {
  test('begins the token’s till, scans, collects, sells and splits, as its steps decide it', () => {
    const view = rehearsed();
    expect(view.open).toMatchObject({ runId, number: 1, asset: 'sol', dueAt: NOW.toISOString() });
    expect(view.state.landed.map(({ purpose }) => purpose)).toEqual(['begin', 'split']);
    expect(view.state.pending).toEqual([]);
    expect(view.run.scanned).toMatchObject({ accounts: 6, owners: 4 });
    expect(view.run.collected).toMatchObject({ collected: '100000', fees: '0' });
    expect(view.state.landed[1]?.links[0]?.actions).toMatchObject([
      { kind: 'burn', amount: '10000' },
      { kind: 'sell', amount: '90000', minimum: '4900000' },
    ]);
    expect(view.run.allotted).toBeUndefined();
  });

  test('lands its links as its scan shows the chain, and only the sale brings lamports', () => {
    const landed = rehearsed().state.landed.map(({ purpose, slot, lamports, tokens }) => [
      purpose,
      slot,
      lamports,
      tokens,
    ]);
    expect(landed).toEqual([
      ['begin', '0', '0', '0'],
      ['split', '4101', '5000000', '100000'],
    ]);
  });

  test('divides what the sale is expected to bring, less the fees of the estimate', () => {
    const view = rehearsed();
    expect(rehearsedAmounts(view, 'sol')).toEqual({
      kept: { developer: '0', holders: '0' },
      collected: '100000',
      burned: '10000',
      sold: { developer: '10000', holders: '80000' },
      keptAfter: { developer: '0', holders: '0' },
      ownTax: {
        before: { developer: '0', holders: '0' },
        returned: { developer: '0', holders: '0' },
        after: { developer: '300', holders: '2400' },
      },
      proceeds: '5000000',
      costs: '100000',
      developer: '544444',
      holders: '4355556',
      dust: '0',
    });
    // Deciding the split again from what is known afterwards gives the same event.
    const again = decideSplit(
      { ...view, run: { ...view.run, split: undefined } },
      { outcome: 'landed', fees: 100_000n, epoch: 702n },
    );
    expect(recordedBy(again)[0]?.data).toEqual(view.run.split);
  });

  test('costs no more of the proceeds than a run may', () => {
    const view = rehearsed(facts({ estimate: { ...ESTIMATE, fees: 600_000n } }));
    expect(view.run.split?.costs).toBe('500000');
  });

  test('keeps what no market takes now, and says why', () => {
    const quote = { outcome: 'refused', reason: 'price-below-reference' } as const;
    const view = rehearsed(
      facts({ estimate: { ...ESTIMATE, sold: 0n, proceeds: 0n, quote, unsold: quote.reason } }),
    );
    expect(view.run.split).toMatchObject({
      unsold: 'price-below-reference',
      kept: { developer: '10000', holders: '80000' },
      proceeds: '0',
    });
  });

  test('sells at a market’s price without waiting for a moment', () => {
    const { at: _at, ...basis } = saleBasis;
    const quote = { ...sale, basis };
    const view = rehearsed(facts({ estimate: { ...ESTIMATE, quote } }));
    expect(view.run.split).toMatchObject({ proceeds: '5000000', unsold: null });
  });

  test('keeps what there is nothing of', () => {
    const nothing = { collectable: 0n, burned: 0n, sold: 0n, proceeds: 0n, quote: undefined };
    const view = rehearsed(facts({ estimate: { ...ESTIMATE, ...nothing } }));
    expect(view.run.split).toMatchObject({ burned: '0', proceeds: '0', holders: '0', unsold: null });
  });

  test('pays the token itself without a sale', () => {
    const estimate = { ...ESTIMATE, proceeds: 0n, quote: undefined };
    const view = rehearsed(facts({ estimate }, 'token'));
    expect(rehearsedAmounts(view, 'token')).toMatchObject({
      proceeds: '0',
      costs: '0',
      developer: '10000',
      holders: '80000',
    });
  });

  test('takes no part of a run that is open: its links, its tills and its sales stay out of it', () => {
    const { state } = viewOf([runOpened, linksRecorded, linksLanded]);
    const carried = {
      ...state.carried,
      owed: { sol: '700', token: '0' },
      dust: { sol: '30', token: '0' },
    };
    const pending = [{ number: 2, previous: null, till: addresses.creator, actions: [] }];
    const selling = { tries: 5, offers: [] };
    const busy: DistributionState = { ...state, carried, pending, pendingPurpose: 'split', selling };
    const view = rehearsed(facts(), busy);
    expect(view.state.landed.map(({ purpose }) => purpose)).toEqual(['split']);
    expect(view.run.split).toMatchObject({ proceeds: '5000000', tries: 1 });
    expect(view.open.number).toBe(state.runs + 1);
  });

  test('does not go on where a step would halt the token: there is less tax than is reserved', () => {
    expect(() => rehearsed(facts({ estimate: { ...ESTIMATE, collectable: -1n } }))).toThrow(
      'a rehearsal ends at the decision to halt',
    );
  });

  test('has amounts once its tax is collected and split, with its own tax', () => {
    const { open, run } = rehearsed();
    const { collected, split } = run;
    for (const instead of [
      { collected: undefined, split },
      { collected, split: undefined },
    ])
      expect(() => rehearsedAmounts({ open, run: { ...run, ...instead } }, 'sol')).toThrow(
        'a rehearsal ends with the split',
      );
  });
});
