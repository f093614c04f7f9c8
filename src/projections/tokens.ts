/** One document per token, for the lists and the detail page. */

import { someSettingsView } from '../streams/distribution-settings.ts';
import { basisPointsFromPercent, percentFromBasisPoints } from '../streams/percent.ts';
import type { TokenCreation } from '../streams/purposes/token-creation.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { defineProjection } from './define-projection.ts';

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
  readonly poolAddress: string | null;
  readonly poolCreatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set while an operator hides it; `by` is the operator's name. */
  readonly hidden: { readonly reason: string; readonly by: string; readonly since: string } | null;
};

export const tokens = defineProjection<TokenDocument>({
  name: 'tokens',
  version: 3,
  readsFrom: 3,
  indexes: {
    mint: (document) => [document.mintAddress],
    creator: (document) => [document.creator],
  },
  terms: (document) => [document.name, document.symbol],
  lists: {
    all: (document) => (document.hidden ? undefined : ''),
    creator: (document) => (document.hidden ? undefined : document.creator),
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
    card: (document) => ({
      id: document.id,
      mintAddress: document.mintAddress,
      name: document.name,
      symbol: document.symbol,
      imageUri: document.imageUri,
      description: document.description,
      transferFeePercent: document.transferFeePercent,
      poolAddress: document.poolAddress,
      createdAt: document.createdAt,
    }),
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
        poolAddress: null,
        poolCreatedAt: null,
        createdAt: occurredAt,
        updatedAt: occurredAt,
        hidden: null,
      }),
    },
    TokenCreationReverted: {
      key: (event) => event.data.tokenId,
      apply: () => undefined,
    },
    DistributionSettingsUpdated: {
      key: (event) => event.data.tokenId,
      apply: (document, { data: { to }, metadata: { occurredAt } }) => {
        if (document === undefined) return undefined;
        // By name: the other settings are private to the creator.
        const {
          burnPercent,
          developerFeePercent,
          developerWallet,
          distributionInterval,
          distributionEnabled,
        } = { ...document, ...someSettingsView(to) };
        return {
          ...document,
          burnPercent,
          developerFeePercent,
          developerWallet,
          distributionInterval,
          distributionEnabled,
          updatedAt: occurredAt,
        };
      },
    },
    TransferFeeChanged: {
      key: (event) => event.data.tokenId,
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
          updatedAt: occurredAt,
        },
    },
    TokenHidden: {
      key: (event) => event.data.tokenId,
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
      key: (event) => event.data.tokenId,
      apply: (document) => document && { ...document, hidden: null },
    },
  },
});
