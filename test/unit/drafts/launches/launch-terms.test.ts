import { CollectFeeMode, CpAmm } from '@meteora-ag/cp-amm-sdk';
import { Connection } from '@solana/web3.js';
import fc from 'fast-check';
import { feeOfTransfer, type Mint, type TransferFee } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as curve from '../../../../src/chain/venue/curve.ts';
import { launchTerms } from '../../../../src/drafts/launches/plan-launch.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { rejectionOf } from '../../../support/command-spec.ts';
import { mintState, parameters, terms } from '../../chain/venue/launch-example.ts';
import { big, bn } from '../../chain/venue/sdk-numbers.ts';

const U64_MAX = 2n ** 64n - 1n;

function taxed(older: number, newer = older, maximumFee = U64_MAX): Mint {
  const fee = (basisPoints: number): TransferFee => ({ epoch: 0n, basisPoints, maximumFee });
  return { ...mintState, transferFees: { older: fee(older), newer: fee(newer) } };
}

/** What the chain takes from the sender so that so many base units arrive, as Token-2022 and the venue work it out. */
function grossOf(net: bigint, fee: TransferFee): bigint {
  if (fee.basisPoints === 10_000) return net + fee.maximumFee;
  const raw = (net * 10_000n + 9_999n - BigInt(fee.basisPoints)) / (10_000n - BigInt(fee.basisPoints));
  const gross = raw - net >= fee.maximumFee ? net + fee.maximumFee : raw;
  return net + feeOfTransfer(fee, gross);
}

describe('the terms of a launch', () => {
  test('start at the configured part of the target and reach it at the end price', () => {
    expect(curve.marketCap(terms.sqrtMinPrice, mintState.supply)).toBe(25_000_000_000n);
    expect(curve.marketCap(terms.sqrtTargetPrice, mintState.supply)).toBe(parameters.targetMarketCap);
    // 10^15 base units with six decimals are 10^9 tokens: 25 SOL and 400 SOL for all of them.
    expect(terms.curve).toEqual({ startPrice: '25', endPrice: '400', priceMultiplier: '16' });
  });

  test('sell what is left of the amount after the tax, and three quarters of it on the way from 1 to 16', () => {
    expect(terms.tokensForSale).toBe(772_000_000_000_000n);
    const left = curve.baseUnitsBetween(terms.liquidity, terms.sqrtTargetPrice, terms.sqrtMaxPrice);
    expect(Number((left * 1_000_000n) / terms.tokensForSale)).toBeCloseTo(250_000, -1);
  });

  test("have the liquidity that the venue's own SDK would give", () => {
    const amm = new CpAmm(new Connection('http://127.0.0.1:9'));
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 12n, max: mintState.supply }), (tokenAmount) => {
        const ours = launchTerms({ ...parameters, tokenAmount }, taxed(0));
        const theirs = amm.preparePoolCreationSingleSide({
          tokenAAmount: bn(tokenAmount),
          minSqrtPrice: bn(ours.sqrtMinPrice),
          maxSqrtPrice: bn(ours.sqrtMaxPrice),
          initSqrtPrice: bn(ours.sqrtMinPrice),
          collectFeeMode: CollectFeeMode.OnlyB,
        });
        expect(ours.liquidity).toBe(big(theirs));
      }),
      { numRuns: 50 },
    );
  });

  test('never cost the creator more tokens than was said, whatever the tax is and in whichever epoch it lands', () => {
    const basisPoints = fc.integer({ min: 0, max: 9_999 });
    const maximumFee = fc.oneof(fc.constant(U64_MAX), fc.bigInt({ min: 0n, max: 10n ** 15n }));
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: mintState.supply }),
        basisPoints,
        basisPoints,
        maximumFee,
        (tokenAmount, older, newer, highest) => {
          const mint = taxed(older, newer, highest);
          let found: ReturnType<typeof launchTerms>;
          try {
            found = launchTerms({ ...parameters, tokenAmount }, mint);
          } catch (error) {
            expect(error).toBeInstanceOf(Rejection);
            return;
          }
          for (const fee of Object.values(mint.transferFees ?? {})) {
            expect(grossOf(found.tokensForSale, fee)).toBeLessThanOrEqual(tokenAmount);
          }
        },
      ),
    );
  });

  test('go by the higher of the two rates while a change of the tax is on its way', () => {
    const expected = launchTerms(parameters, taxed(900)).liquidity;
    expect(launchTerms(parameters, taxed(100, 900)).liquidity).toBe(expected);
    expect(launchTerms(parameters, taxed(900, 100)).liquidity).toBe(expected);
  });

  test('are the plain amount for a token without a tax', () => {
    const untaxed: Mint = { ...mintState, transferFees: undefined };
    expect(launchTerms(parameters, untaxed).tokensForSale).toBe(parameters.tokenAmount);
  });
});

describe('parameters that cannot be met are refused, and the one at fault is named', () => {
  const cases: [string, Partial<typeof parameters>, Mint, string, RegExp][] = [
    ['nothing to sell', { tokenAmount: 0n }, mintState, 'tokenAmount', /must exceed its own tax/],
    ['more than there is', { tokenAmount: mintState.supply + 1n }, mintState, 'tokenAmount', /the supply/],
    ['a token without supply', {}, { ...mintState, supply: 0n }, 'tokenAmount', /the supply/],
    ['all of it is tax', {}, taxed(10_000), 'tokenAmount', /must exceed its own tax/],
    ['one base unit', { tokenAmount: 1n }, taxed(0), 'tokenAmount', /too small/],
    ['a target of nothing', { targetMarketCap: 0n }, mintState, 'targetMarketCap', /at least \d+/],
    ['a target below the ratio', { targetMarketCap: 15n }, mintState, 'targetMarketCap', /at least \d+/],
    [
      'a target beyond every price',
      { targetMarketCap: U64_MAX, tokenAmount: 1n },
      { ...taxed(0), supply: 1n },
      'targetMarketCap',
      /maximum price/,
    ],
  ];
  test.each(cases)('%s', (_what, change, mint, field, message) => {
    const refusal = rejectionOf(() => launchTerms({ ...parameters, ...change }, mint));
    expect(refusal.code).toBe('VALIDATION_FAILED');
    expect(refusal.message).toMatch(message);
    expect(refusal.details?.[0]?.path).toEqual([field]);
  });

  test('whatever bound a refusal names is the real one: it is accepted, and the value next to it is not', () => {
    const amount = fc.bigInt({ min: 1n, max: U64_MAX });
    let named = 0;
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.integer({ min: 0, max: 10_000 }),
        fc.bigInt({ min: 2n, max: 40n }),
        (tokenAmount, targetMarketCap, supply, basisPoints, startRatio) => {
          const mint = { ...taxed(basisPoints), supply };
          const wish = { tokenAmount, targetMarketCap, startRatio };
          let refusal: Rejection | undefined;
          try {
            launchTerms(wish, mint);
          } catch (error) {
            refusal = error as Rejection;
          }
          const [, side, digits] = /must be at (least|most) (\d+)/.exec(refusal?.message ?? '') ?? [];
          if (digits === undefined) return;
          named += 1;
          const field = String(refusal?.details?.[0]?.path[0]);
          const bound = BigInt(digits);
          const at = (value: bigint) => launchTerms({ ...wish, [field]: value }, mint);
          expect(at(bound).liquidity).toBeGreaterThan(0n);
          expect(() => at(side === 'least' ? bound - 1n : bound + 1n)).toThrow(Rejection);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(named).toBeGreaterThan(0);
  });

  test('no more tokens are asked for than the creator holds: then the target is too low', () => {
    const mint = taxed(0);
    const wish = { tokenAmount: 1n, targetMarketCap: 400_000_000_000n, startRatio: 16n };
    const ofAll = rejectionOf(() => launchTerms(wish, mint));
    expect(ofAll.details?.[0]?.path).toEqual(['tokenAmount']);
    const ofNone = rejectionOf(() => launchTerms({ ...wish, held: 1n }, mint));
    expect(ofNone.details?.[0]?.path).toEqual(['targetMarketCap']);
  });

  test('whatever is wished, there is an answer: terms within all bounds, or a refusal', () => {
    const amount = fc.bigInt({ min: 0n, max: U64_MAX });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.integer({ min: 0, max: 10_000 }),
        (a, b, supply, basisPoints) => {
          const mint = { ...taxed(basisPoints), supply };
          let found: ReturnType<typeof launchTerms>;
          try {
            found = launchTerms({ tokenAmount: a, targetMarketCap: b, startRatio: 16n }, mint);
          } catch (error) {
            expect(error).toBeInstanceOf(Rejection);
            return;
          }
          expect(found.sqrtMinPrice).toBeGreaterThanOrEqual(curve.MIN_SQRT_PRICE);
          expect(found.sqrtTargetPrice).toBeGreaterThan(found.sqrtMinPrice);
          expect(found.sqrtTargetPrice).toBeLessThan(found.sqrtMaxPrice);
          expect(found.liquidity).toBeGreaterThan(0n);
          expect(found.liquidity).toBeLessThan(2n ** 128n);
        },
      ),
    );
  });
});
