// The read model of tokens: what the lists and the detail page show.
import { describe, expect, test } from 'vitest';
import { placed } from '../../../src/kernel/ports/collection-shape.ts';
import { filterValue, NOT_DISTRIBUTED, type TokenDocument, tokens } from '../../../src/projections/tokens.ts';
import { HoldersScanned } from '../../../src/streams/distribution-run.ts';
import {
  DistributionSettingsUpdated,
  TokenCreated,
  TokenCreationReverted,
  TokenHidden,
  TokenShown,
  TransferFeeChanged,
  type TransferFeeRates,
} from '../../../src/streams/token.ts';
import {
  distributionHalted,
  distributionResumed,
  holdersScanned,
  runClosed,
  runId,
  runOpened,
  runSkipped,
  taxSplit,
} from '../../support/distribution-examples.ts';
import { addresses, ids, token, tokenCreated } from '../../support/domain-examples.ts';
import {
  launchCompleted,
  launchStarted,
  launchSubject,
  startedLaunch,
} from '../../support/launch-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId, transactionId } = ids;
const createdAt = '2026-05-04T10:00:41.000Z';
const created = happening(tokenId, tokenCreated, createdAt);
const reverted = happening(tokenId, TokenCreationReverted({ tokenId, transactionId }));

const document: TokenDocument = {
  id: tokenId,
  mintAddress: addresses.mint,
  creator: addresses.creator,
  name: 'Levy Example',
  symbol: 'LEVY',
  decimals: 6,
  supply: '18446744073709551615',
  imageUri: token.imageUri,
  description: 'An example.\nOn two lines.',
  twitter: 'https://x.example/levy',
  telegram: '',
  website: 'https://levy.example',
  transferFeePercent: 1.23,
  transferFeeAdjustable: false,
  transferFeeMaximum: null,
  pendingTransferFee: null,
  burnPercent: 10.5,
  developerFeePercent: 0.07,
  developerWallet: addresses.creator,
  distributionWallet: addresses.distributionWallet,
  distributionInterval: '1h',
  distributionEnabled: true,
  immutableMetadata: true,
  rewardToken: 'SOL',
  distributionModel: 'proportional',
  minimumHoldingRequirement: token.minimumHoldingRequirement,
  percentageToSellPerDistribution: token.sellBasisPoints / 100,
  distribution: NOT_DISTRIBUTED,
  launch: 'none',
  poolAddress: null,
  poolCreatedAt: null,
  createdAt,
  updatedAt: createdAt,
  hidden: null,
};

describe('tokens', () => {
  const spec = projectionSpec(tokens);

  test('shows the pool of a token from its launch on', () => {
    const startedAt = '2026-05-04T11:00:41.000Z';
    const started = happening(tokenId, launchStarted, startedAt);
    spec.given(created, started).gives({
      [tokenId]: {
        ...document,
        poolAddress: launchSubject.poolAddress,
        poolCreatedAt: startedLaunch.startedAt,
        launch: 'active',
        marketCap: { lamports: '25000000000', at: startedLaunch.startedAt },
        updatedAt: startedAt,
      },
    });
    spec.given(started).gives({});
  });

  test('shows nothing of a token whose creation a fork took back', () => {
    spec.given(created, reverted).gives({});
  });

  test('tells that a token is hidden, for which reason, since when and by whom', () => {
    const since = '2026-05-04T11:00:00.000Z';
    const hidden = {
      ...happening(tokenId, TokenHidden({ tokenId, reason: 'a copy' }), since),
      actor: 'operator:alice',
    };
    const withHidden = { ...document, hidden: { reason: 'a copy', by: 'alice', since } };
    spec.given(created, hidden).gives({ [tokenId]: withHidden });
    const later = { ...hidden, event: TokenHidden({ tokenId, reason: 'a fraud' }), occurredAt: createdAt };
    spec.given(created, hidden, later).gives({
      [tokenId]: { ...withHidden, hidden: { reason: 'a fraud', by: 'alice', since } },
    });
    const shown = happening(tokenId, TokenShown({ tokenId, reason: null }));
    spec.given(created, hidden, shown).gives({ [tokenId]: document });
    spec.given(hidden, shown).gives({});
    spec.given(created, hidden, reverted, created).gives({ [tokenId]: document });
  });

  test('follows the tax that the chain shows: what is to come, and what became valid', () => {
    const updatedAt = '2026-05-04T12:00:00.000Z';
    const change = (fee: TransferFeeRates) =>
      happening(tokenId, TransferFeeChanged({ tokenId, transactionId: null, ...fee, slot: '7' }), updatedAt);
    const pending = { basisPoints: 7, maximum: '5000', fromEpoch: '812' };
    const decided = change({ basisPoints: 123, maximum: null, pending });
    const valid = change({ basisPoints: 7, maximum: '5000', pending: null });
    spec
      .given(created, decided)
      .gives({ [tokenId]: { ...document, pendingTransferFee: pending, updatedAt } });
    spec.given(created, decided, valid).gives({
      [tokenId]: { ...document, transferFeePercent: 0.07, transferFeeMaximum: '5000', updatedAt },
    });
    spec.given(decided).gives({});
  });

  test('follows the settings that everybody may see, and says when they changed last', () => {
    const updatedAt = '2026-05-04T12:00:00.000Z';
    const change = (to: Parameters<typeof DistributionSettingsUpdated>[0]['to']) =>
      happening(tokenId, DistributionSettingsUpdated({ tokenId, from: {}, to }), updatedAt);
    const shown = change({
      burnBasisPoints: 29,
      developerFeeBasisPoints: 0,
      developerWallet: addresses.otherCreator,
      distributionInterval: '5m',
      distributionEnabled: false,
      rewardToken: addresses.mint,
      distributionModel: 'square-root',
      minimumHoldingRequirement: '1',
      sellBasisPoints: 1,
      telegramGroupId: '@levy',
    });
    const after: TokenDocument = {
      ...document,
      burnPercent: 0.29,
      developerFeePercent: 0,
      developerWallet: addresses.otherCreator,
      distributionInterval: '5m',
      distributionEnabled: false,
      rewardToken: addresses.mint,
      distributionModel: 'square-root',
      minimumHoldingRequirement: '1',
      percentageToSellPerDistribution: 0.01,
      updatedAt,
    };
    spec.given(created, shown).gives({ [tokenId]: after });
    spec.given(created, shown, reverted, created).gives({ [tokenId]: document });
    spec.given(shown).gives({});
  });

  test('shows how its distribution stands: the open run, what holders got, and what a scan found', () => {
    const later = '2026-05-04T12:00:00.000Z';
    const at = (event: Parameters<typeof happening>[1]) => happening(tokenId, event, later);
    const stands = (changed: Partial<TokenDocument['distribution']>) => ({
      [tokenId]: { ...document, distribution: { ...NOT_DISTRIBUTED, ...changed } },
    });
    const { dueAt } = runOpened.data;
    const open = { openRunId: runId, lastDueAt: dueAt };
    spec.given(created, at(runOpened)).gives(stands(open));
    const scanned = { owners: holdersScanned.data.owners, supply: holdersScanned.data.supply, at: later };
    spec.given(created, at(runOpened), at(holdersScanned)).gives(stands({ ...open, scanned }));
    const supply = (BigInt(scanned.supply) - BigInt(taxSplit.data.burned)).toString();
    const split = { ...scanned, supply };
    spec
      .given(created, at(runOpened), at(holdersScanned), at(taxSplit))
      .gives(stands({ ...open, scanned: split }));
    const closed = { closed: 1, lastClosedAt: runClosed.data.closedAt };
    const toHolders = { sol: '77890000', token: '0' };
    spec.given(created, at(runOpened), at(runClosed)).gives(
      stands({
        ...closed,
        lastDueAt: dueAt,
        toHolders,
        recentlyToHolders: { hours: { '2026-05-04T11': toHolders }, days: { '2026-05-04': toHolders } },
      }),
    );
    spec.given(created, at(runSkipped)).gives(stands({ lastDueAt: runSkipped.data.dueAt }));
    spec.given(created, at(distributionHalted)).gives(stands({ halted: true }));
    spec.given(created, at(distributionHalted), at(distributionResumed)).gives(stands({}));
    spec.given(at(runOpened), at(taxSplit), at(distributionHalted)).gives({});
  });

  test('says that a launch has reached its target', () => {
    const later = '2026-05-04T12:00:00.000Z';
    spec.given(created, happening(tokenId, launchCompleted, later)).gives({
      [tokenId]: {
        ...document,
        launch: 'completed',
        marketCap: { lamports: launchCompleted.data.marketCap, at: later },
      },
    });
  });

  test('keeps the market cap that the scan of a run has seen, while later ones see none', () => {
    const scannedAt = (at: string, marketCap?: string) => {
      const pool = { address: launchSubject.poolAddress, slot: '4102', sqrtPrice: '7' };
      const seen = marketCap === undefined ? {} : { pool: { ...pool, marketCap } };
      return happening(tokenId, HoldersScanned({ ...holdersScanned.data, ...seen }), at);
    };
    const [first, second, third] = [1, 2, 3].map((hour) => `2026-05-04T1${hour}:00:00.000Z`) as [
      string,
      string,
      string,
    ];
    const { owners, supply } = holdersScanned.data;
    const given = (at: string, marketCap: TokenDocument['marketCap']) => ({
      [tokenId]: {
        ...document,
        distribution: { ...NOT_DISTRIBUTED, scanned: { owners, supply, at } },
        ...(marketCap && { marketCap }),
      },
    });
    const [before, rich, poor] = [scannedAt(first), scannedAt(second, '700'), scannedAt(third, '3')];
    spec.given(created, before).gives(given(first, undefined));
    spec.given(created, before, rich).gives(given(second, { lamports: '700', at: second }));
    spec.given(created, rich, poor).gives(given(third, { lamports: '3', at: third }));
    spec.given(created, rich, scannedAt(third)).gives(given(third, { lamports: '700', at: second }));
  });

  test('finds a token by mint, creator, name and symbol', () => {
    expect(tokens.indexes?.mint?.(document)).toEqual([addresses.mint]);
    expect(tokens.indexes?.creator?.(document)).toEqual([addresses.creator]);
    expect(tokens.terms?.(document)).toEqual(
      expect.arrayContaining(['Levy Example', 'vy Example', 'e', 'LEVY', 'Y', addresses.mint]),
    );
  });

  test('searches no more of a name than the API lets it have', () => {
    const terms = tokens.terms?.({ ...document, name: 'x'.repeat(1_000) }) ?? [];
    expect(terms.join('').length).toBeLessThan(5_000);
  });

  test('lists tokens whose tax can change, with what is known of it', () => {
    expect(tokens.lists?.adjustable?.(document)).toBeUndefined();
    expect(tokens.lists?.adjustable?.({ ...document, transferFeeAdjustable: true })).toBe('');
    expect(tokens.views?.tax?.(document)).toEqual({
      tokenId,
      mint: addresses.mint,
      rates: { basisPoints: 123, maximum: null, pending: null },
    });
  });

  test('keeps the partner whose key made it, and finds it by that while it is visible', () => {
    const data = { ...tokenCreated.data, token: { ...tokenCreated.data.token, partner: 'acme' } };
    const made = { ...document, partner: 'acme' };
    spec.given(happening(tokenId, TokenCreated(data), createdAt)).gives({ [tokenId]: made });
    const places = (shown: TokenDocument) => [
      placed(tokens.indexes?.filter?.(shown) ?? []).values.includes(filterValue({ partner: 'acme' })),
      tokens.lists?.partner?.(shown),
      tokens.views?.card?.(shown).partner,
    ];
    expect(places(made)).toEqual([true, 'acme', 'acme']);
    const hidden = { reason: 'A copy.', by: 'ann', since: createdAt };
    expect(places({ ...made, hidden })).toEqual([false, undefined, 'acme']);
    expect(places(document)).toEqual([false, undefined, null]);
  });

  test('renders the card of a list', () => {
    // Which members it has is held by the queries, whose answers fit their schema to the last member.
    const { partner, marketCap: none, ...same } = { ...tokens.views?.card?.(document) };
    expect(document).toMatchObject(same);
    expect([partner, none]).toEqual([null, null]);
    const marketCap = { lamports: '7', at: createdAt };
    expect(tokens.views?.card?.({ ...document, marketCap }).marketCap).toEqual(marketCap);
  });
});
