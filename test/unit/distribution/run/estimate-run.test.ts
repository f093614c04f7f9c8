// What a run would do and cost now, and what keeps it from being opened.
import { describe, expect, test } from 'vitest';
import {
  estimateFees,
  estimateRun,
  type RunEstimate,
  refusalOf,
  type ScanFigures,
} from '../../../../src/distribution/run/estimate-run.ts';
import type { Markets, SaleQuote } from '../../../../src/distribution/selling/sale-venue.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import {
  type DistributionState,
  distribution,
  type RewardAsset,
} from '../../../../src/streams/distribution.ts';
import { token as tokenStream } from '../../../../src/streams/token.ts';
import { addresses, tokenCreated } from '../../../support/domain-examples.ts';
import { NOW, only, POLICY, TOKEN, taxedMint, tokenAccount } from '../../../support/run-examples.ts';

const PARTS = { policy: POLICY, clock: { now: () => NOW } };
const ESTIMATED: RunEstimate = {
  collectable: 1_000_000n,
  kept: 0n,
  burned: 0n,
  sold: 900_000n,
  proceeds: 1_000_000n,
  unsold: undefined,
  fees: 100_000n,
};

interface Asked {
  readonly asset?: RewardAsset;
  readonly isRequested?: boolean;
  readonly unrepaid?: DistributionState['unrepaid'];
}

function refusal(
  changed: Partial<RunEstimate> = {},
  { asset = 'sol', isRequested = false, unrepaid }: Asked = {},
) {
  const state = { ...distribution.initial, ...(unrepaid && { unrepaid }) };
  return refusalOf(PARTS, state, asset, { ...ESTIMATED, ...changed }, isRequested);
}

describe('no run is opened', () => {
  test('where there is no tax, new or kept', () => {
    const nothing = { reason: 'nothing-collected', detail: 'No tax is withheld anywhere.' };
    expect(refusal({ collectable: 0n })).toEqual(nothing);
    expect(refusal({ collectable: 0n }, { isRequested: true })).toEqual(nothing);
    expect(refusal({ collectable: 0n, kept: 1n })).toBeUndefined();
    expect(refusal({ collectable: 1n })).toBeUndefined();
  });

  test('where nothing can be sold, unless something is burned', () => {
    const unsold = { unsold: 'pool-empty', sold: 0n, proceeds: 0n, fees: 0n } as const;
    const noMarket = {
      reason: 'no-market',
      detail: 'The tax cannot be sold now. The pool holds no SOL, because nobody has bought from it.',
    };
    expect(refusal(unsold)).toEqual(noMarket);
    expect(refusal(unsold, { isRequested: true })).toEqual(noMarket);
    expect(refusal({ ...unsold, burned: 1n })).toBeUndefined();
  });

  test('that costs a lamport more than it may of what it brings, unless it was asked for', () => {
    expect(refusal({ fees: 100_000n })).toBeUndefined();
    expect(refusal({ fees: 100_001n })).toEqual({
      reason: 'not-worth-its-costs',
      detail:
        'The run would yield about 0.001 SOL and cost about 0.000100001 SOL; it is skipped until its costs are at most 10 % of its proceeds.',
    });
    expect(refusal({ fees: 100_001n }, { isRequested: true })).toBeUndefined();
  });

  test.each<readonly [what: string, changed: Partial<RunEstimate>, asked: Asked]>([
    ['in the token itself', {}, { asset: 'token' }],
    ['that sells nothing', { sold: 0n, proceeds: 0n }, {}],
  ])('%s, that costs more than such runs may in a day', (_what, changed, asked) => {
    const today = { day: '2026-05-04', lamports: '60000' };
    expect(refusal({ ...changed, fees: 100_000n }, asked)).toBeUndefined();
    expect(refusal({ ...changed, fees: 100_001n }, asked)).toMatchObject({
      reason: 'not-worth-its-costs',
    });
    expect(refusal({ ...changed, fees: 40_000n }, { ...asked, unrepaid: today })).toBeUndefined();
    expect(refusal({ ...changed, fees: 40_001n }, { ...asked, unrepaid: today })).toEqual({
      reason: 'not-worth-its-costs',
      detail:
        'Runs of this token that do not recover their costs have cost 0.00006 SOL today, and this one would cost about 0.000040001 SOL; the limit is 0.0001 SOL a day.',
    });
    const asking = { ...asked, unrepaid: today, isRequested: true };
    expect(refusal({ ...changed, fees: 40_001n }, asking)).toBeUndefined();
    const yesterday = { day: '2026-05-03', lamports: '60000' };
    expect(refusal({ ...changed, fees: 40_001n }, { ...asked, unrepaid: yesterday })).toBeUndefined();
  });
});

describe('an estimate', () => {
  const created = tokenStream.evolve(tokenStream.initial, tokenCreated);
  if (created === undefined) throw new Error('the example has a token');
  const withSettings = {
    ...created,
    settings: {
      ...created.settings,
      burnBasisPoints: 1_000,
      developerFeeBasisPoints: 1_000,
      sellBasisPoints: 10_000,
    },
  };
  const found: ScanFigures = { accounts: 4, withheld: () => 700n, withWithheld: 3 };
  const sale: SaleQuote = {
    sale: {
      venue: 'meteora',
      mint: TOKEN.mint,
      decimals: 6,
      market: addresses.otherNonceAccount,
      amount: 900n,
      minimum: 1n,
    },
    expected: 5_000n,
    basis: null,
  };

  function estimate(
    asset: RewardAsset,
    { held, quote, carried }: { held: bigint; quote?: SaleQuote; carried?: DistributionState['carried'] },
  ) {
    const asked: unknown[] = [];
    const chain = only<Chain>('the chain', {
      epoch: async () => 702n,
      accounts: async ([address]) => [
        address === TOKEN.mint
          ? taxedMint({ supply: 10_000n, withheld: 200n })
          : tokenAccount({ amount: held }),
      ],
    });
    const markets = only<Markets>('the markets', {
      async quote(token, wanted, bounds) {
        asked.push([token.supply, wanted, bounds.reference]);
        return quote ?? sale;
      },
    });
    const state = { ...distribution.initial, ...(carried && { carried }) };
    const run = { token: TOKEN, state, created: withSettings, asset, found };
    return { asked, estimated: estimateRun({ ...PARTS, chain, markets }, run) };
  }

  test('counts the tax in accounts, in the mint, and in the wallet’s own account', async () => {
    const { estimated, asked } = estimate('sol', { held: 100n });
    expect(await estimated).toMatchObject({
      collectable: 1_000n,
      kept: 0n,
      burned: 100n,
      sold: 900n,
      proceeds: 5_000n,

      unsold: undefined,
    });
    expect(asked).toEqual([[10_000n, 900n, 'unneeded']]);
  });

  test('counts nothing twice of what is kept, owed or undivided', async () => {
    const carried = {
      ...distribution.initial.carried,
      kept: { developer: '10', holders: '20' },
      owed: { sol: '9', token: '30' },
      dust: { sol: '9', token: '40' },
    };
    expect(await estimate('sol', { held: 100n, carried }).estimated).toMatchObject({
      collectable: 900n,
      kept: 30n,
    });
    expect(await estimate('sol', { held: 101n, carried }).estimated).toMatchObject({ collectable: 901n });
    // Less than it should hold is found out when the tax is collected.
    expect(await estimate('sol', { held: 99n, carried }).estimated).toMatchObject({ collectable: 900n });
  });
});

describe('the estimated fees', () => {
  const run = { withWithheld: 0, owners: 0, maxPots: 50, isFirst: false };
  const FEE = 5_000n;
  /** The withdrawal, the split, and the links that open and close. */
  const LINKS = 8n * FEE;

  test('a payment costs a signature in SOL, and two in the token itself', () => {
    // 61 recipients at most, and 59.
    const of = (asset: 'sol' | 'token', owners: number) => estimateFees({ ...run, asset, owners });
    expect(of('sol', 59)).toBe(LINKS + FEE);
    expect(of('token', 59)).toBe(LINKS + 2n * FEE);
    expect(of('token', 59 * 250)).toBe(LINKS + 2n * 250n * FEE);
  });
});
