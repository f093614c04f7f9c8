/** Projection with one document per token, for the lists and the detail page. */

import { type PublicSettings, settingsAtBirth, settingsView } from '../streams/distribution-settings.ts';
import { basisPointsFromPercent, percentFromBasisPoints } from '../streams/percent.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { afterBurn, type LastScan } from './last-scan.ts';
import { byToken, defineProjection, operatorName } from './levy-projection.ts';
import { NO_RECENT_PAYMENTS, type RecentPayments, withPayments } from './recent-payments.ts';
import { add, type ByAsset, NOTHING, sumsOfRun } from './run-sums.ts';

/** Maximum length of a searchable name or symbol, in UTF-16 units. */
const MAX_SEARCHED = 64;

export const LAUNCH_STATES = ['none', 'active', 'completed'] as const;

/** Recorded terms of a token, without those that its document stores in the form of settings. */
function recordedTerms(token: TokenCreation) {
  const {
    kind: _kind,
    tokenId: id,
    walletId: _wallet,
    imageCid: _image,
    metadataUri: _uri,
    ...shown
  } = token;
  const { transferFeeBasisPoints, burnBasisPoints, developerFeeBasisPoints, sellBasisPoints, ...terms } =
    shown;
  return { id, ...terms };
}

/** State of a token's distribution for lists. */
type TokenDistribution = {
  readonly openRunId: string | null;
  readonly halted: boolean;
  /** Number of closed runs. */
  readonly closed: number;
  /** Due time of the last run that was opened or skipped. */
  readonly lastDueAt: string | null;
  readonly lastClosedAt: string | null;
  readonly toHolders: ByAsset;
  readonly recentlyToHolders: RecentPayments;
  /** Null before the first scan. */
  readonly scanned: LastScan | null;
};

export const NOT_DISTRIBUTED: TokenDistribution = {
  openRunId: null,
  halted: false,
  closed: 0,
  lastDueAt: null,
  lastClosedAt: null,
  toHolders: NOTHING,
  recentlyToHolders: NO_RECENT_PAYMENTS,
  scanned: null,
};

export type TokenDocument = Readonly<ReturnType<typeof recordedTerms> & PublicSettings> & {
  readonly creator: string;
  readonly transferFeePercent: number;
  readonly transferFeeMaximum: string | null;
  readonly pendingTransferFee: TransferFeeRates['pending'];
  readonly distribution: TokenDistribution;
  readonly launch: (typeof LAUNCH_STATES)[number];
  /** Market cap of a launched token: the price of its pool times the supply, both at `at` (ISO 8601). */
  readonly marketCap?: { readonly lamports: string; readonly at: string };
  readonly poolAddress: string | null;
  readonly poolCreatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set while an operator hides the token; `by` is the operator's name. */
  readonly hidden: { readonly reason: string; readonly by: string; readonly since: string } | null;
};

export const tokens = defineProjection<TokenDocument>({
  name: 'tokens',
  version: 2,
  indexes: {
    mint: (document) => [document.mintAddress],
    creator: (document) => [document.creator],
    /** Visible tokens, by any combination of the filters. */
    filter: filterValues,
    /** Ranks by lamports paid to holders. Payments in the token itself are not comparable between tokens. */
    paid: (document) => ({
      values: filterValues(document),
      place: numberSortKey(document.distribution.toHolders.sol),
    }),
    /** Sorts by the number of holders at the last scan. */
    holders: (document) => ({
      values: filterValues(document),
      place: numberSortKey(holderCountOf(document)),
    }),
    /** Ranks launched tokens by the last observed market cap. */
    marketCap: (document) =>
      document.marketCap === undefined
        ? { values: [], place: '' }
        : { values: filterValues(document), place: numberSortKey(document.marketCap.lamports) },
  },
  terms: searchTerms,
  lists: {
    all: (document) => (document.hidden ? undefined : ''),
    creator: (document) => (document.hidden ? undefined : document.creator),
    partner: (document) => (document.hidden ? undefined : document.partner),
    hidden: (document) => (document.hidden ? '' : undefined),
    /** Tokens whose transfer fee can change on the chain. */
    adjustable: (document) => (document.transferFeeAdjustable ? '' : undefined),
  },
  views: {
    tax: ({ id, mintAddress, transferFeePercent, transferFeeMaximum, pendingTransferFee }) => ({
      tokenId: id,
      mint: mintAddress,
      rates: {
        basisPoints: basisPointsFromPercent(transferFeePercent) ?? 0,
        maximum: transferFeeMaximum,
        pending: pendingTransferFee,
      },
    }),
    card: storedCard,
    hidden: ({ id, mintAddress, name, symbol, imageUri, creator, createdAt, hidden }) => ({
      tokenId: id,
      mintAddress,
      name,
      symbol,
      imageUri,
      creator,
      createdAt,
      hiddenAt: hidden?.since ?? '',
      hiddenBy: hidden?.by ?? '',
      reason: hidden?.reason ?? '',
    }),
  },
  on: {
    TokenCreated: {
      key: (event) => event.data.token.tokenId,
      apply(_none, { data: { creator, token }, metadata: { occurredAt } }) {
        const { telegramGroupId: _private, ...settings } = settingsView(settingsAtBirth(token));
        return {
          ...recordedTerms(token),
          ...settings,
          creator,
          transferFeePercent: percentFromBasisPoints(token.transferFeeBasisPoints),
          transferFeeMaximum: null,
          pendingTransferFee: null,
          distribution: NOT_DISTRIBUTED,
          launch: 'none',
          poolAddress: null,
          poolCreatedAt: null,
          createdAt: occurredAt,
          updatedAt: occurredAt,
          hidden: null,
        };
      },
    },
    TokenCreationReverted: {
      key: byToken,
      apply: () => undefined,
    },
    DistributionSettingsUpdated: {
      key: byToken,
      apply: (document, { data: { to }, metadata: { occurredAt } }) => {
        if (document === undefined) return undefined;
        const { telegramGroupId: _private, ...settings } = settingsView(to);
        return { ...document, ...settings, updatedAt: occurredAt };
      },
    },
    TransferFeeChanged: {
      key: byToken,
      apply: (document, { data: { basisPoints, maximum, pending }, metadata: { occurredAt } }) =>
        document && {
          ...document,
          transferFeePercent: percentFromBasisPoints(basisPoints),
          transferFeeMaximum: maximum,
          pendingTransferFee: pending,
          updatedAt: occurredAt,
        },
    },
    LaunchStarted: {
      key: (event) => event.data.launch.tokenId,
      apply: (document, { data: { launch, startedAt }, metadata: { occurredAt } }) =>
        document && {
          ...document,
          poolAddress: launch.poolAddress,
          poolCreatedAt: startedAt,
          launch: 'active',
          marketCap: {
            lamports: (BigInt(launch.targetMarketCap) / BigInt(launch.startRatio)).toString(),
            at: startedAt,
          },
          updatedAt: occurredAt,
        },
    },
    LaunchCompleted: {
      key: byToken,
      apply: (document, { data, metadata: { occurredAt } }) =>
        document && {
          ...document,
          launch: 'completed',
          marketCap: { lamports: data.marketCap, at: occurredAt },
        },
    },
    RunOpened: {
      key: byToken,
      apply: (document, { data: { runId, dueAt } }) =>
        document && withDistribution(document, { openRunId: runId, lastDueAt: dueAt }),
    },
    RunSkipped: {
      key: byToken,
      apply: (document, { data: { dueAt } }) => document && withDistribution(document, { lastDueAt: dueAt }),
    },
    HoldersScanned: {
      key: byToken,
      apply: (document, { data, metadata: { occurredAt: at } }) =>
        document && {
          ...withDistribution(document, { scanned: { owners: data.owners, supply: data.supply, at } }),
          ...(data.pool && { marketCap: { lamports: data.pool.marketCap, at } }),
        },
    },
    TaxSplit: {
      key: byToken,
      apply: (document, { data: { burned }, metadata: { occurredAt } }) =>
        document &&
        withDistribution(document, {
          scanned: afterBurn(document.distribution.scanned, burned, occurredAt),
        }),
    },
    RunClosed: {
      key: byToken,
      apply(document, { data }) {
        if (document === undefined) return undefined;
        const { closed, toHolders, recentlyToHolders } = document.distribution;
        const paid = sumsOfRun(data).paidTo.holders;
        return withDistribution(document, {
          openRunId: null,
          closed: closed + 1,
          lastClosedAt: data.closedAt,
          toHolders: add(toHolders, paid),
          recentlyToHolders: withPayments(recentlyToHolders, data.closedAt, paid),
        });
      },
    },
    DistributionHalted: {
      key: byToken,
      apply: (document) => document && withDistribution(document, { halted: true }),
    },
    DistributionResumed: {
      key: byToken,
      apply: (document) => document && withDistribution(document, { halted: false }),
    },
    TokenHidden: {
      key: byToken,
      apply: (document, { data: { reason }, metadata: { actor, occurredAt } }) =>
        document && {
          ...document,
          hidden: {
            reason,
            by: operatorName(actor),
            since: document.hidden?.since ?? occurredAt,
          },
        },
    },
    TokenShown: {
      key: byToken,
      apply: (document) => document && { ...document, hidden: null },
    },
  },
});

/** Card of the token in a list, without the parts that depend on the clock; see `distribution`. */
export function storedCard(document: TokenDocument) {
  return {
    id: document.id,
    mintAddress: document.mintAddress,
    name: document.name,
    symbol: document.symbol,
    imageUri: document.imageUri,
    description: document.description,
    transferFeePercent: document.transferFeePercent,
    poolAddress: document.poolAddress,
    createdAt: document.createdAt,
    creator: document.creator,
    partner: document.partner ?? null,
    decimals: document.decimals,
    supply: document.supply,
    burnPercent: document.burnPercent,
    developerFeePercent: document.developerFeePercent,
    rewardToken: document.rewardToken,
    distributionInterval: document.distributionInterval,
    distributionEnabled: document.distributionEnabled,
    distribution: document.distribution,
    launch: document.launch,
    marketCap: document.marketCap ?? null,
  };
}

export type StoredCard = ReturnType<typeof storedCard>;

function withDistribution(document: TokenDocument, changed: Partial<TokenDistribution>): TokenDocument {
  return { ...document, distribution: { ...document.distribution, ...changed } };
}

/** Search terms: any part of name and symbol, and the beginning of the mint address. */
export function searchTerms({
  name,
  symbol,
  mintAddress,
}: Pick<TokenDocument, 'name' | 'symbol' | 'mintAddress'>): readonly string[] {
  return [...suffixesOf(name), ...suffixesOf(symbol), mintAddress];
}

/** All suffixes of the text, so that a prefix search finds any part of it. Their total length is quadratic, hence the limit. */
function suffixesOf(text: string): readonly string[] {
  const characters = Array.from(text.slice(0, MAX_SEARCHED));
  return characters.map((_, index) => characters.slice(index).join(''));
}

export interface TokenFilter {
  readonly creator?: string | undefined;
  readonly partner?: string | undefined;
  readonly rewardToken?: string | undefined;
  readonly launchState?: string | undefined;
}

/** Value of a filter combination in the indexes `filter`, `paid` and `marketCap`. */
export function filterValue({ creator, partner, rewardToken, launchState }: TokenFilter): string {
  return [creator, partner, rewardToken, launchState].map((each) => each ?? '').join(' ');
}

/** Filter values by document, cached because each event needs them once per index. */
const latest = new WeakMap<TokenDocument, readonly string[]>();

function filterValues(document: TokenDocument): readonly string[] {
  const known = latest.get(document);
  if (known !== undefined) return known;
  const values = document.hidden ? [] : valuesOf(document);
  latest.set(document, values);
  return values;
}

function valuesOf({ creator, partner, rewardToken, launch: launchState }: TokenDocument): readonly string[] {
  let filters: readonly TokenFilter[] = [{}];
  for (const each of [{ creator }, { partner }, { rewardToken }, { launchState }])
    filters = [...filters, ...filters.map((filter) => ({ ...filter, ...each }))];
  return [...new Set(filters.map(filterValue))];
}

/** Prefixes digits with their length, so that they sort as text in numeric order. */
export function numberSortKey(digits: string): string {
  return `${String(digits.length).padStart(3, '0')}${digits}`;
}

/** Number of holders at the last scan, in digits; before the first scan 1, the creator. */
export function holderCountOf({ distribution: { scanned } }: Pick<TokenDocument, 'distribution'>): string {
  return String(scanned?.owners ?? 1);
}
