/** A token was created: its transaction is confirmed on the chain. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { Address, Amount, Signature } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const tokensCreated = defineOutcome({
  name: 'tokens.created',
  summary: 'A token was created; its transaction is confirmed on the chain.',
  of: 'TokenCreated',
  audience: 'public',
  // Later changes of the distribution need no public notice, so it is not published at creation either.
  data: Type.Object(
    {
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
      partner: Type.Optional(
        Type.String({
          description: 'The partner whose key made it; absent without one.',
          examples: ['acme'],
        }),
      ),
    },
    {
      examples: [
        {
          tokenId: '11f82ccb-0246-5e2a-83c3-8f3a12af34d8',
          mintAddress: 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3',
          creator: '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu',
          name: 'Sunrise',
          symbol: 'SUN',
          description: 'Shares its tax with its holders.',
          imageUri:
            'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
          twitter: '',
          telegram: '',
          website: 'https://sunrise.example/',
          decimals: 6,
          supply: '1000000000000000',
          transferFeePercent: 3.5,
          transferFeeAdjustable: false,
          distributionWallet: 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8',
          signature:
            '4zVgEYjsbnq5zrBW1naqXHNuPKmojuHmmyuGVJD2Xxc9KcZARqc3JzJ9VKhsdeeDukGPUZjkjXi13KUc8A3GoRo8',
        },
      ],
    },
  ),
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
    ...(token.partner === undefined ? {} : { partner: token.partner }),
  }),
});
