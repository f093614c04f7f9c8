/** One document per token, for the lists and the detail page. */

import { type SettingsView, someSettingsView } from '../streams/distribution-settings.ts';
import { basisPointsFromPercent, percentFromBasisPoints } from '../streams/percent.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { defineProjection } from './define-projection.ts';
import {
  NOT_DISTRIBUTED,
  type TokenDistribution,
  withClosedRun,
  withScan,
  withSplit,
} from './token-distribution.ts';
import { filterValues, TOKEN_ORDERS } from './token-orders.ts';

/** How much of a name or symbol is searched: UTF-16 units. */
const MOST_SEARCHED = 64;

export const LAUNCH_STATES = ['none', 'active', 'completed'] as const;

export type TokenDocument = {
  readonly id: string;
  readonly mintAddress: string;
  readonly creator: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly supply: string;
  readonly imageUri: string;
  readonly description: string;
  readonly twitter: string;
  readonly telegram: string;
  readonly website: string;
  readonly transferFeePercent: number;
  readonly transferFeeAdjustable: boolean;
  readonly transferFeeMaximum: string | null;
  readonly pendingTransferFee: TransferFeeRates['pending'];
  readonly burnPercent: number;
  readonly developerFeePercent: number;
  readonly developerWallet: string;
  readonly distributionWallet: string;
  readonly distributionInterval: TokenCreation['distributionInterval'];
  readonly distributionEnabled: boolean;
  readonly immutableMetadata: boolean;
  /** The partner whose key made it; absent without one. */
  readonly partner?: string;
  readonly rewardToken: string;
  readonly distributionModel: SettingsView['distributionModel'];
  /** Base units. */
  readonly minimumHoldingRequirement: string;
  readonly percentageToSellPerDistribution: number;
  /** How its distribution stands. */
  readonly distribution: TokenDistribution;
  readonly launch: (typeof LAUNCH_STATES)[number];
  /** Of a launched token: the price of its pool times the supply, both at `at` (ISO 8601). */
  readonly marketCap?: { readonly lamports: string; readonly at: string };
  readonly poolAddress: string | null;
  readonly poolCreatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set while an operator hides it; `by` is the operator's name. */
  readonly hidden: { readonly reason: string; readonly by: string; readonly since: string } | null;
};

const byToken = (event: { readonly data: { readonly tokenId: string } }): string => event.data.tokenId;

export const tokens = defineProjection<TokenDocument>({
  name: 'tokens',
  version: 1,
  indexes: {
    mint: (document) => [document.mintAddress],
    creator: (document) => [document.creator],
    /** Visible ones, by any of the filters together. */
    filter: filterValues,
    ...TOKEN_ORDERS,
  },
  /** Also in the middle of a name; a mint address by its beginning. */
  terms: ({ name, symbol, mintAddress }) => [...endsOf(name), ...endsOf(symbol), mintAddress],
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
      hidden,
    }),
  },
  on: {
    TokenCreated: {
      key: (event) => event.data.token.tokenId,
      apply: (_none, { data: { creator, token }, metadata: { occurredAt } }) => ({
        id: token.tokenId,
        mintAddress: token.mintAddress,
        creator,
        name: token.name,
        symbol: token.symbol,
        decimals: token.decimals,
        supply: token.supply,
        imageUri: token.imageUri,
        description: token.description,
        twitter: token.twitter,
        telegram: token.telegram,
        website: token.website,
        transferFeePercent: percentFromBasisPoints(token.transferFeeBasisPoints),
        transferFeeAdjustable: token.transferFeeAdjustable,
        transferFeeMaximum: null,
        pendingTransferFee: null,
        burnPercent: percentFromBasisPoints(token.burnBasisPoints),
        developerFeePercent: percentFromBasisPoints(token.developerFeeBasisPoints),
        developerWallet: token.developerWallet,
        distributionWallet: token.distributionWallet,
        distributionInterval: token.distributionInterval,
        distributionEnabled: true,
        immutableMetadata: token.immutableMetadata,
        ...(token.partner === undefined ? {} : { partner: token.partner }),
        rewardToken: token.rewardToken,
        distributionModel: 'proportional',
        minimumHoldingRequirement: token.minimumHoldingRequirement,
        percentageToSellPerDistribution: percentFromBasisPoints(token.sellBasisPoints),
        distribution: NOT_DISTRIBUTED,
        launch: 'none',
        poolAddress: null,
        poolCreatedAt: null,
        createdAt: occurredAt,
        updatedAt: occurredAt,
        hidden: null,
      }),
    },
    TokenCreationReverted: {
      key: byToken,
      apply: () => undefined,
    },
    DistributionSettingsUpdated: {
      key: byToken,
      apply: (document, { data: { to }, metadata: { occurredAt } }) => {
        if (document === undefined) return undefined;
        const { telegramGroupId: _private, ...settings } = someSettingsView(to);
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
        document && stands(document, { openRunId: runId, lastDueAt: dueAt }),
    },
    RunSkipped: {
      key: byToken,
      apply: (document, { data: { dueAt } }) => document && stands(document, { lastDueAt: dueAt }),
    },
    HoldersScanned: {
      key: byToken,
      apply: (document, { data, metadata: { occurredAt: at } }) =>
        document && {
          ...stands(document, withScan(document.distribution, data, at)),
          ...(data.pool && { marketCap: { lamports: data.pool.marketCap, at } }),
        },
    },
    TaxSplit: {
      key: byToken,
      apply: (document, { data: { burned }, metadata: { occurredAt } }) =>
        document && stands(document, withSplit(document.distribution, burned, occurredAt)),
    },
    RunClosed: {
      key: byToken,
      apply: (document, { data }) => document && stands(document, withClosedRun(document.distribution, data)),
    },
    DistributionHalted: {
      key: byToken,
      apply: (document) => document && stands(document, { halted: true }),
    },
    DistributionResumed: {
      key: byToken,
      apply: (document) => document && stands(document, { halted: false }),
    },
    TokenHidden: {
      key: byToken,
      apply: (document, { data: { reason }, metadata: { actor, occurredAt } }) =>
        document && {
          ...document,
          hidden: {
            reason,
            by: actor.replace(/^operator:/, ''),
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

/** What a list shows of it, but for what a clock decides; `distribution` is for that. */
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

function stands(document: TokenDocument, changed: Partial<TokenDistribution>): TokenDocument {
  return { ...document, distribution: { ...document.distribution, ...changed } };
}

/**
 * The text from each of its characters on: what begins one of them is somewhere in the text. The ends of a text together are
 * as long as its square, so that only what the API lets a name have is searched.
 */
function endsOf(text: string): readonly string[] {
  const characters = Array.from(text.slice(0, MOST_SEARCHED));
  return characters.map((_, index) => characters.slice(index).join(''));
}
