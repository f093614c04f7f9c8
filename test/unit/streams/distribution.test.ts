// The stream of a token's distribution: runs, the links of its till chain, and what stands still.
import { describe, expect, test } from 'vitest';
import {
  type DistributionEvent,
  type DistributionState,
  distribution,
  NOTHING_CARRIED,
} from '../../../src/streams/distribution.ts';
import {
  begun,
  closedWithOwnTax,
  distributionHalted,
  distributionResumed,
  keepingRecorded,
  linksLanded,
  linksRecorded,
  openRecorded,
  runClosed,
  runOpened,
  runRequested,
  runSkipped,
  saleBasis,
  saleRecorded,
  split,
  splitLanded,
  splitRecorded,
  tills,
} from '../../support/distribution-examples.ts';

const stateAfter = (...events: readonly DistributionEvent[]): DistributionState =>
  events.reduce(distribution.evolve, distribution.initial);

describe('a run', () => {
  test('is open from its opening to its closing, which carries over what is left', () => {
    expect(stateAfter()).toMatchObject({ runs: 0, carried: NOTHING_CARRIED });
    expect(stateAfter(runOpened)).toMatchObject({
      runs: 1,
      open: runOpened.data,
      lastDueAt: runOpened.data.dueAt,
    });
    const closed = stateAfter(runOpened, linksRecorded, linksLanded, runClosed);
    expect(closed).toMatchObject({ runs: 1, landed: [], carried: runClosed.data.carried });
    expect(stateAfter(runOpened, closedWithOwnTax).carried.ownTax).toEqual({
      developer: '2700',
      holders: '21600',
    });
    expect(closed.open).toBeUndefined();
  });

  test('that is opened answers the request for it, and ends the reason for which it was skipped', () => {
    expect(stateAfter(runSkipped, runRequested)).toMatchObject({
      requested: runRequested.data.reason,
      skipped: 'nothing-collected',
      lastDueAt: runSkipped.data.dueAt,
    });
    const opened = stateAfter(runSkipped, runRequested, runOpened);
    expect([opened.requested, opened.skipped]).toEqual([undefined, undefined]);
    expect(stateAfter(runRequested, runSkipped).requested).toBeUndefined();
  });

  test('that repaid none of its fees is counted on the day on which it was closed', () => {
    const unpaid = {
      ...runClosed,
      data: { ...runClosed.data, amounts: { ...runClosed.data.amounts, costs: '0' } },
    };
    expect(stateAfter(runClosed).unrepaid).toBeUndefined();
    expect(stateAfter(unpaid, unpaid).unrepaid).toEqual({ day: '2026-05-04', lamports: '50000' });
    const nextDay = { ...unpaid, data: { ...unpaid.data, closedAt: '2026-05-05T00:00:00.000Z' } };
    expect(stateAfter(unpaid, nextDay).unrepaid).toEqual({ day: '2026-05-05', lamports: '25000' });
  });
});

describe('links', () => {
  test('may be signed from their recording on, and make the till once they have landed', () => {
    expect(stateAfter(runOpened, linksRecorded).pending).toEqual([begun]);
    const landed = stateAfter(runOpened, linksRecorded, linksLanded);
    expect(landed).toMatchObject({
      pending: [],
      till: { number: 0, address: tills.first, slot: '4100', lamports: '0' },
      landed: [linksLanded.data],
    });
  });

  test('that build on what did not land are forgotten, and those that build on what did are kept', () => {
    const other = { ...split, till: tills.third };
    const rival = { ...splitRecorded, data: { ...splitRecorded.data, links: [other] } };
    const recorded = [runOpened, linksRecorded, linksLanded, splitRecorded, rival, openRecorded];
    expect(stateAfter(...recorded).pending).toHaveLength(3);
    const landed = stateAfter(...recorded, splitLanded);
    expect(landed.till?.address).toBe(tills.second);
    expect(landed.pending).toEqual(openRecorded.data.links);
  });
});

describe('a sale', () => {
  const impact = { number: 1, till: tills.second, at: saleBasis.at, impact: saleBasis.impact };
  const rival = { ...saleRecorded, data: { ...saleRecorded.data, links: [{ ...split, till: tills.third }] } };

  test('is counted, with what it was judged by, until its run is closed', () => {
    const state = stateAfter(runOpened, linksRecorded, linksLanded, saleRecorded, rival);
    expect(state.selling).toMatchObject({
      tries: 2,
      offers: [
        { till: tills.second, amount: '810000', minimum: '99000000', basis: saleBasis },
        { till: tills.third },
      ],
    });
    expect(distribution.evolve(state, runClosed).selling).toBeUndefined();
    expect(distribution.evolve(state, runOpened).selling).toBeUndefined();
  });

  test('that was left says why', () => {
    const left = stateAfter(runOpened, linksRecorded, linksLanded, saleRecorded, keepingRecorded);
    expect(left.selling).toMatchObject({ tries: 1, unsold: 'price-below-reference' });
  });

  test('has moved the price also in the runs that follow, if it is the one that landed', () => {
    const tried = stateAfter(runOpened, linksRecorded, linksLanded, saleRecorded, rival);
    expect(tried.impacts).toEqual([impact, { ...impact, till: tills.third }]);
    const landed = [splitLanded, runClosed, runOpened].reduce(distribution.evolve, tried);
    expect(landed.impacts).toEqual([impact]);
    const burned = {
      ...splitLanded,
      data: {
        ...splitLanded.data,
        links: splitLanded.data.links.map((link) => ({ ...link, till: tills.first })),
      },
    };
    expect(distribution.evolve(tried, burned).impacts).toEqual([]);
  });

  test('is counted for less than the time that impacts are kept, and no longer', () => {
    const laterBy = (milliseconds: number) => {
      const at = new Date(Date.parse(saleBasis.at) + milliseconds).toISOString();
      const links = [{ ...split, number: 9 }];
      const later = { ...saleRecorded, data: { ...saleRecorded.data, links, sale: { ...saleBasis, at } } };
      return stateAfter(runOpened, saleRecorded, later).impacts?.length;
    };
    expect([laterBy(60 * 60_000 - 1), laterBy(60 * 60_000)]).toEqual([2, 1]);
  });

  test('at a fixed price, and other links, move none', () => {
    expect(stateAfter(runOpened, linksRecorded, linksLanded, splitRecorded).impacts).toEqual([]);
    expect(stateAfter(runOpened, linksRecorded).selling).toBeUndefined();
  });
});

test('a distribution is halted until it is resumed, between and during runs', () => {
  const { code, reason } = distributionHalted.data;
  expect(stateAfter(distributionHalted).halted).toEqual({ code, reason });
  const state = stateAfter(runOpened, distributionHalted);
  expect(state).toMatchObject({ open: runOpened.data, halted: { code, reason } });
  expect(distribution.evolve(state, distributionResumed).halted).toBeUndefined();
});
