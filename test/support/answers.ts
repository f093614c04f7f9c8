/** The exact forms of the API's answers, as the contract lists them: no field less, none more. For `toStrictEqual`. */
import { expect } from 'vitest';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const uuid = matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const address = matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const signature = matching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const base64 = matching(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
export const digits = matching(/^(?:0|[1-9]\d*)$/);
const text: unknown = expect.any(String);
const count: unknown = expect.any(Number);
const url = matching(/^https?:\/\/\S+$/);

export const challenge = {
  challenge: text,
  expiresAt: timestamp,
  signInInput: {
    domain: text,
    address,
    statement: text,
    uri: text,
    version: '1',
    chainId: text,
    nonce: text,
    issuedAt: timestamp,
    expirationTime: timestamp,
  },
};
export const signedIn = {
  token: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  expiresAt: timestamp,
  user: { id: uuid, walletAddress: address },
};
export const distributionWallet = { walletId: uuid, address };
export const uploadedImage = {
  success: true,
  imageUri: url,
  imageCid: matching(/^bafkrei[a-z2-7]{52}$/),
};
export const draft = {
  transaction: base64,
  transactionId: uuid,
  expiresAt: timestamp,
  mintKeypair: { publicKey: address, secretKey: expect.any(Array) },
  // Decided: optional in the contract, always there today.
  cost: digits,
};
const identity = { id: uuid, mintAddress: address, name: text, symbol: text, imageUri: url };
export const submitted = {
  success: true,
  signature,
  mintAddress: address,
  token: { ...identity, createdAt: timestamp },
};
/** Of a token whose distribution has not begun. */
const undistributed = {
  currentSupply: { amount: digits, burned: '0', at: timestamp },
  holderCount: 1,
  paidToHolders: { sol: '0', token: '0' },
  distributionState: 'idle',
  launchState: 'none',
  marketCap: null,
  featured: null,
  rewardToken: text,
  nextDistributionAt: timestamp,
};
export const tokenCard = {
  ...identity,
  description: text,
  transferFeePercent: count,
  poolAddress: null,
  createdAt: timestamp,
  creator: address,
  partner: null,
  decimals: count,
  supply: digits,
  burnPercent: count,
  developerFeePercent: count,
  distributionInterval: matching(/^(5m|10m|15m|30m|1h|6h|12h|24h)$/),
  ...undistributed,
};
export const ownToken = { ...identity, distributionEnabled: true, createdAt: timestamp };
export const tokenDetail = {
  ...identity,
  decimals: count,
  supply: digits,
  description: text,
  twitter: text,
  telegram: text,
  website: text,
  transferFeePercent: count,
  transferFeeMaximum: null,
  burnPercent: count,
  developerFeePercent: count,
  developerWallet: address,
  distributionWallet: address,
  distributionInterval: matching(/^(5m|10m|15m|30m|1h|6h|12h|24h)$/),
  distributionEnabled: true,
  poolAddress: null,
  poolCreatedAt: null,
  createdAt: timestamp,
  updatedAt: timestamp,
  // Decided: optional in the contract, there once the read model of distributions is.
  creator: address,
  partner: null,
  signature,
  ...undistributed,
  transferFeeAdjustable: expect.any(Boolean),
  immutableMetadata: expect.any(Boolean),
  distributionModel: 'proportional',
  minimumHoldingRequirement: digits,
  percentageToSellPerDistribution: count,
};
export const settings = {
  rewardToken: text,
  distributionModel: matching(/^(proportional|square-root)$/),
  minimumHoldingRequirement: digits,
  percentageToSellPerDistribution: count,
  distributionEnabled: expect.any(Boolean) as unknown,
  distributionInterval: matching(/^(5m|10m|15m|30m|1h|6h|12h|24h)$/),
  burnPercent: count,
  developerFeePercent: count,
  developerWallet: address,
  telegramGroupId: null as unknown,
};
export const pagination = { total: count, page: count, limit: count, totalPages: count };
export const transaction = {
  transactionId: uuid,
  purpose: text,
  status: matching(/^(awaiting_signature|submitted|confirmed|failed|expired)$/),
  signature: null as unknown,
  mintAddress: address,
  error: null as unknown,
  createdAt: timestamp,
  expiresAt: timestamp,
  settledAt: null as unknown,
};
