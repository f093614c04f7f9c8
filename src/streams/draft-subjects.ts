/** What drafts are for: one schema per purpose, told apart by `kind`. Each names the token that it is about. */
import { type Static, Type } from '@sinclair/typebox';
import { Address, Amount, BasisPoints, DistributionInterval, Timestamp, U128, Uuid } from './values.ts';

/** The token that a draft makes or touches. */
const about = { tokenId: Uuid, mintAddress: Address };

/** What a token is born with, every default filled in. */
export const TokenCreation = Type.Object({
  kind: Type.Literal('token-creation'),
  ...about,
  walletId: Uuid,
  distributionWallet: Address,
  name: Type.String(),
  symbol: Type.String(),
  description: Type.String(),
  imageCid: Type.String(),
  /** As it was when the draft was issued; the CID is what counts. */
  imageUri: Type.String(),
  /** The metadata address that the transaction carries. */
  metadataUri: Type.String(),
  twitter: Type.String(),
  telegram: Type.String(),
  website: Type.String(),
  transferFeeBasisPoints: BasisPoints,
  burnBasisPoints: BasisPoints,
  developerFeeBasisPoints: BasisPoints,
  developerWallet: Address,
  distributionInterval: DistributionInterval,
  sellBasisPoints: BasisPoints,
  /** `SOL` or a mint address. */
  rewardToken: Type.String(),
  minimumHoldingRequirement: Amount,
  decimals: Type.Integer({ minimum: 0, maximum: 9 }),
  supply: Amount,
  transferFeeAdjustable: Type.Boolean(),
  immutableMetadata: Type.Boolean(),
});

/** Another rate of the tax, which the chain makes valid two epochs after it lands. */
export const TransferFeeChange = Type.Object({
  kind: Type.Literal('transfer-fee-change'),
  ...about,
  transferFeeBasisPoints: BasisPoints,
});

/** The payment for so many days on the featured list. */
export const PromotionPurchase = Type.Object({
  kind: Type.Literal('promotion-purchase'),
  ...about,
  promotionId: Uuid,
  days: Type.Integer({ minimum: 1 }),
  /** Lamports. */
  price: Amount,
  treasury: Address,
  /** What the list shows of the token, as it was when the draft was issued. */
  card: Type.Object({
    name: Type.String(),
    symbol: Type.String(),
    imageUri: Type.String(),
    description: Type.String(),
  }),
});

/** A pool on the launch venue, filled from one side: its price starts at the lower bound and rises as tokens are sold. */
export const Launch = Type.Object({
  kind: Type.Literal('launch'),
  ...about,
  poolAddress: Address,
  /** The mint of the position's NFT. Its key signs this one message only, so that the position proves the launch. */
  positionMint: Address,
  positionAddress: Address,
  /** Base units that leave the creator's account, the tax on their way included. */
  tokenAmount: Amount,
  /** Lamports. */
  targetMarketCap: Amount,
  /** How often the market cap at the start goes into the target. */
  startRatio: Type.Integer({ minimum: 2 }),
  /** Square roots of lamports per base unit, Q64.64; the lower one is the first price. */
  sqrtMinPrice: U128,
  sqrtMaxPrice: U128,
  /** Q64.64; all of it is locked. */
  liquidity: U128,
  /** Of the mint when the draft was issued: what the market cap is reckoned with, whatever is burned later. */
  supply: Amount,
  decimals: Type.Integer({ minimum: 0, maximum: 9 }),
  /** When the pool is expected to sell. */
  expectedAt: Timestamp,
});

export const DraftSubject = Type.Union([TokenCreation, TransferFeeChange, PromotionPurchase, Launch]);

export type TokenCreation = Static<typeof TokenCreation>;
export type TransferFeeChange = Static<typeof TransferFeeChange>;
export type PromotionPurchase = Static<typeof PromotionPurchase>;
export type Launch = Static<typeof Launch>;
export type DraftSubject = Static<typeof DraftSubject>;
export type Purpose = DraftSubject['kind'];

/**
 * From when on what a draft was for is so. A token is there once it is confirmed, since its creator waits for it, and a
 * fork takes it back; the others are recorded only once nothing can take them back.
 */
export const RECORDED_ONCE: { readonly [Kind in Purpose]: 'confirmed' | 'finalized' } = {
  'token-creation': 'confirmed',
  'transfer-fee-change': 'finalized',
  'promotion-purchase': 'finalized',
  launch: 'finalized',
};
