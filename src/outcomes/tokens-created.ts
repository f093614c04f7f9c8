/** A token was created: the transaction that makes it is confirmed on the chain. */
import { Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { Address, Amount, Signature, Uuid } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const tokensCreated = defineOutcome({
  name: 'tokens.created',
  summary: 'A token was created; its transaction is confirmed on the chain.',
  of: 'TokenCreated',
  audience: 'public',
  // How the tax is distributed may change without notice to the public, so it is not told at birth either.
  data: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    creator: Address,
    name: Type.String(),
    symbol: Type.String(),
    description: Type.String(),
    imageUri: Type.String(),
    twitter: Type.String(),
    telegram: Type.String(),
    website: Type.String(),
    decimals: Type.Integer(),
    supply: Amount,
    transferFeePercent: Type.Number(),
    transferFeeAdjustable: Type.Boolean(),
    distributionWallet: Address,
    signature: Signature,
  }),
  subject: ({ data }) => data.token.tokenId,
  hiddenWith: ({ data }) => data.token.tokenId,
  tell: ({ data: { creator, signature, token } }) => ({
    tokenId: token.tokenId,
    mintAddress: token.mintAddress,
    creator,
    name: token.name,
    symbol: token.symbol,
    description: token.description,
    imageUri: token.imageUri,
    twitter: token.twitter,
    telegram: token.telegram,
    website: token.website,
    decimals: token.decimals,
    supply: token.supply,
    transferFeePercent: percentFromBasisPoints(token.transferFeeBasisPoints),
    transferFeeAdjustable: token.transferFeeAdjustable,
    distributionWallet: token.distributionWallet,
    signature,
  }),
});
