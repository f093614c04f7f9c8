// Whether a scan adds up to the supply, and what follows: believed, made again, or the end of the token's runs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DISAGREEING_FOR,
  decideNextScan,
  describeScan,
  type EarlierScans,
  judgeScan,
  NO_SCANS,
  type ScanVerdict,
} from '../../../../src/distribution/collecting/judge-scan.ts';
import { MAX_PAUSE } from '../../../../src/distribution/engine-parts.ts';

const mint = (supply: bigint, withheld: bigint, slot = 1n) => ({ slot, supply, withheld });

describe('a scan is held against the mint before and behind it', () => {
  /** Supply, and what is withheld in it. */
  type Mint = readonly [supply: bigint, withheld: bigint];
  const SAME: Mint = [100n, 3n];
  const BURNED: Mint = [90n, 3n];
  const HARVESTED: Mint = [100n, 8n];
  const fits = (slack: bigint): ScanVerdict => ({ verdict: 'adds-up', slack });
  const short: ScanVerdict = { verdict: 'short', by: 1n };

  test.each<readonly [what: string, held: Mint, before: Mint | undefined, after: Mint, verdict: ScanVerdict]>(
    [
      ['everything is there', [90n, 7n], SAME, SAME, fits(0n)],
      ['one base unit is missing', [89n, 7n], SAME, SAME, short],
      ['one base unit is too much', [90n, 8n], SAME, SAME, { verdict: 'over', by: 1n }],
      ['something was burned before the scan', [80n, 7n], SAME, BURNED, fits(10n)],
      ['something was burned behind the scan', [90n, 7n], SAME, BURNED, fits(10n)],
      ['tax was harvested before the scan', [90n, 2n], SAME, HARVESTED, fits(5n)],
      ['tax was harvested behind the scan', [90n, 7n], SAME, HARVESTED, fits(5n)],
      ['more is missing than was burned and harvested', [79n, 2n], SAME, [90n, 8n], short],
      ['our own withdrawal landed', [93n, 7n], SAME, [100n, 0n], { verdict: 'withdrawn' }],
      ['only the reading behind it is known, and shows more', [90n, 6n], undefined, SAME, short],
      ['only the reading behind it is known, and shows no more', [90n, 9n], undefined, SAME, fits(2n)],
    ],
  )('%s', (_name, [balances, withheld], before, after, verdict) => {
    const scan = { balances, withheld, before: before && mint(...before), after: mint(...after) };
    expect(judgeScan(scan)).toEqual(verdict);
  });

  test('and what really was there adds up, whatever is burned and harvested before and behind it', () => {
    const amount = fc.bigInt({ min: 0n, max: 1_000_000n });
    fc.assert(
      fc.property(
        fc.record({ balances: amount, withheld: amount, inMint: amount }),
        fc.array(fc.record({ burn: amount, harvest: amount }), { minLength: 2, maxLength: 2 }),
        ({ balances, withheld, inMint }, steps) => {
          const states = [{ balances, withheld, inMint }];
          for (const { burn, harvest } of steps) {
            const last = states.at(-1) ?? { balances, withheld, inMint };
            const [burned, harvested] = [burn % (last.balances + 1n), harvest % (last.withheld + 1n)];
            states.push({
              balances: last.balances - burned,
              withheld: last.withheld - harvested,
              inMint: last.inMint + harvested,
            });
          }
          const [first, scanned, last] = states.map((state) => ({
            ...state,
            mint: mint(state.balances + state.withheld + state.inMint, state.inMint),
          }));
          if (first === undefined || scanned === undefined || last === undefined) throw new Error('three');
          const seen = { balances: scanned.balances, withheld: scanned.withheld };
          const judged = judgeScan({ ...seen, before: first.mint, after: last.mint });
          expect(judged.verdict).toBe('adds-up');
          if (judged.verdict !== 'adds-up') return;
          // Whoever hides or invents more than the slack is seen.
          const { slack } = judged;
          const hiding = { ...seen, balances: seen.balances - slack - 1n };
          const inventing = { ...seen, balances: seen.balances + slack + 1n };
          expect(judgeScan({ ...hiding, before: first.mint, after: last.mint }).verdict).toBe('short');
          expect(judgeScan({ ...inventing, before: first.mint, after: last.mint }).verdict).toBe('over');
        },
      ),
    );
  });
});

describe('after a look at the accounts', () => {
  const at = 1_000_000;
  const look = (
    verdict: ScanVerdict,
    how: { isOfOneSlot?: boolean; inOneAnswer?: boolean; at?: number } = {},
  ) => ({
    verdict,
    isOfOneSlot: false,
    inOneAnswer: false,
    at,
    ...how,
  });
  const [over, short]: ScanVerdict[] = [
    { verdict: 'over', by: 5n },
    { verdict: 'short', by: 5n },
  ];
  if (over === undefined || short === undefined) throw new Error('two verdicts');

  test('pages that show too much are read again in one answer, however often, and never halt the token', () => {
    let earlier: EarlierScans = NO_SCANS;
    for (let made = 0; made < 1_000; made++) {
      const after = decideNextScan(earlier, look(over, { at: at + made * 60_000 }));
      expect(after).toEqual({ earlier: NO_SCANS, inOneAnswer: true, pause: 0 });
      earlier = after?.earlier ?? earlier;
    }
  });

  test.each([
    ['an answer of one slot that shows too much', over, { isOfOneSlot: true, inOneAnswer: true }],
    ['one page that shows too much', over, { isOfOneSlot: true }],
    ['pages that show too little', short, {}],
    ['an answer that shows too little', short, { isOfOneSlot: true, inOneAnswer: true }],
  ])('%s is asked for in the other way, with longer and longer pauses', (_name, verdict, how) => {
    let earlier: EarlierScans = NO_SCANS;
    const pauses: number[] = [];
    for (let made = 1; made < 5; made++) {
      const after = decideNextScan(earlier, look(verdict, how));
      expect(after).toMatchObject({ inOneAnswer: !('inOneAnswer' in how) });
      if (after === undefined) return;
      earlier = after.earlier;
      pauses.push(after.pause);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(MAX_PAUSE);
    // Often enough, and not for long enough: the node may be ill for minutes.
    expect(decideNextScan(earlier, look(verdict, { ...how, at: at + DISAGREEING_FOR - 1 }))).toBeDefined();
    expect(decideNextScan(earlier, look(verdict, { ...how, at: at + DISAGREEING_FOR }))).toBeUndefined();
  });

  test('the figures are told', () => {
    const scan = { balances: 90n, withheld: 6n, before: mint(100n, 3n, 7n), after: mint(100n, 3n, 9n) };
    expect(describeScan(scan, judgeScan(scan))).toBe(
      'The listed accounts lack 1 base units: they hold 90 and 6 of withheld tax, and the mint has a supply of 100, including 3 ' +
        'of withheld tax, at slot 7, then a supply of 100, including 3 of withheld tax, at slot 9.',
    );
  });
});
