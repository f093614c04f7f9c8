/** The chain shows another transfer fee for a token: a change was made, or became valid. */
import { Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { Amount, Uuid } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const tokensTransferFeeChanged = defineOutcome({
  name: 'tokens.transfer-fee-changed',
  summary: 'The tax that the chain takes of transfers of a token was changed, or a change became valid.',
  of: 'TransferFeeChanged',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    /** Valid now. */
    transferFeePercent: Type.Number({ examples: [3.5] }),
    /** The pending change; null if there is none. */
    pending: Type.Union([
      Type.Object({
        transferFeePercent: Type.Number({ examples: [2.5] }),
        fromEpoch: Type.String({ ...Amount, examples: ['812'] }),
      }),
      Type.Null(),
    ]),
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, basisPoints, pending } }) => ({
    tokenId,
    transferFeePercent: percentFromBasisPoints(basisPoints),
    pending: pending && {
      transferFeePercent: percentFromBasisPoints(pending.basisPoints),
      fromEpoch: pending.fromEpoch,
    },
  }),
});
