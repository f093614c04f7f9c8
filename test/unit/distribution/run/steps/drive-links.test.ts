// Driving the till's links: what landed is recorded, and what takes the place of a link that cannot land.
import { describe, expect, test } from 'vitest';
import { isTrueToContent } from '../../../../../src/distribution/links/link-content.ts';
import { RECIPIENTS } from '../../../../../src/distribution/paying/plan-batches.ts';
import { nextStep } from '../../../../../src/distribution/run/next-step.ts';
import { decideClosing, decideLanded } from '../../../../../src/distribution/run/steps/drive-links.ts';
import { decideSplit } from '../../../../../src/distribution/run/steps/split.ts';
import type { LandedLinks, RecordedLink } from '../../../../../src/streams/distribution.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import {
  linksLanded,
  linksRecorded,
  openRecorded,
  pot,
  runId,
  split,
  splitRecorded,
  tills,
} from '../../../../support/distribution-examples.ts';
import { addresses, ids } from '../../../../support/domain-examples.ts';
import {
  closeRecorded,
  courseTo,
  NOW,
  openLanded,
  recordedBy,
  TOKEN,
  viewOf,
} from '../../../../support/run-examples.ts';

const REFUSED = waitFor('transaction-refused');
const asLater = { kind: 'wait', waiting: { for: REFUSED, pause: 5_000 } };

describe('of links', () => {
  test('what landed is recorded, with the part of the run that it belongs to', () => {
    const { links, slot, lamports, tokens } = linksLanded.data as LandedLinks;
    const decision = decideLanded(viewOf(courseTo(linksRecorded)), { links, slot, lamports, tokens });
    expect(decision).toEqual({ kind: 'record-of-token', events: [linksLanded] });
    const view = viewOf([...courseTo(linksRecorded), ...recordedBy(decision)]);
    expect([view.state.pending, view.state.till?.address]).toEqual([[], tills.first]);
  });

  test('each part of the run lands under its own name', () => {
    const { links, slot, lamports, tokens } = openLanded.data as LandedLinks;
    const decision = decideLanded(viewOf(courseTo(openRecorded)), { links, slot, lamports, tokens });
    expect(recordedBy(decision)).toEqual([openLanded]);
  });
});

describe('in the place of a link that is refused', () => {
  test('comes a sale with a new quote, for the same till', () => {
    const sale = {
      venue: 'meteora',
      mint: TOKEN.mint,
      decimals: 6,
      market: addresses.otherNonceAccount,
      amount: 700_000n,
      minimum: 80_000_000n,
    } as const;
    const facts = { selling: { kind: 'sell', sale, basis: null }, now: NOW } as const;
    const [recorded] = recordedBy(decideSplit(viewOf(courseTo(splitRecorded)), facts));
    if (recorded?.type !== 'LinksRecorded') throw new Error('a link is recorded');
    const { purpose, links } = recorded.data;
    expect(purpose).toBe('split');
    expect(links).toMatchObject([
      {
        number: 1,
        previous: tills.first,
        actions: [{ kind: 'burn' }, { kind: 'sell', amount: '700000', minimum: '80000000' }],
      },
    ]);
    expect(links[0]?.till).not.toBe(split.till);
    for (const link of links)
      expect(isTrueToContent({ ...link, actions: [...link.actions] }, TOKEN)).toBe(true);
  });

  test('comes a link that keeps the tokens, when no sale is tried any more', () => {
    const selling = { kind: 'keep', reason: 'sale-refused' } as const;
    const facts = { selling, now: NOW } as const;
    expect(recordedBy(decideSplit(viewOf(courseTo(splitRecorded)), facts))).toMatchObject([
      { data: { unsold: 'sale-refused', links: [{ number: 1, actions: [{ kind: 'burn' }] }] } },
    ]);
  });
});

describe('in the place of links that close pots', () => {
  const CLOSING = courseTo(closeRecorded);
  const [closing] = closeRecorded.data.links as readonly RecordedLink[];
  if (closing === undefined) throw new Error('the example closes a pot');
  const close = (left: string) => ({ kind: 'close' as const, pot, left, rent: '2039280' });
  const shown = (...actions: ReturnType<typeof close>[]) =>
    decideClosing(viewOf(CLOSING), closing, { actions }, REFUSED);

  test('come links at what the meters show now', () => {
    const decision = shown(close('400000'));
    const [recorded] = recordedBy(decision);
    if (recorded?.type !== 'LinksRecorded') throw new Error('a link is recorded');
    expect(recorded.data).toMatchObject({
      tokenId: ids.tokenId,
      runId,
      purpose: 'close',
      links: [{ number: 3, previous: tills.third, actions: [close('400000')] }],
    });
    for (const link of recorded.data.links)
      expect(isTrueToContent({ ...link, actions: [...link.actions] }, TOKEN)).toBe(true);
    // Both may land: the chain takes one of them.
    const view = viewOf([...CLOSING, recorded]);
    expect(view.state.pending).toHaveLength(2);
    expect(nextStep(view, { owners: undefined, scan: undefined }, RECIPIENTS)).toBe('drive-links');
  });

  test('nothing comes while the meters show what they did', () => {
    expect(shown(close('1000000'))).toEqual(asLater);
  });

  test('nothing comes while later links are to close further pots', () => {
    expect(shown(close('1000000'), close('7'))).toEqual(asLater);
  });

  test('nothing comes where no pot is left, or where one is hidden', () => {
    expect(shown()).toEqual(asLater);
    const hidden = { pot, slot: 4_200n, meter: 'missing', value: '1000000' } as const;
    expect(decideClosing(viewOf(CLOSING), closing, hidden, REFUSED)).toEqual(asLater);
  });
});
