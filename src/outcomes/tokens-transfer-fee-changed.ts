/** The chain shows another transfer fee for a token: a change was made, or became valid. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { Amount } from '../streams/values.ts';
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
    /** The most that one transfer is taxed, in base units; null where only the percentage counts. */
    transferFeeMaximum: Type.Union([Amount, Type.Null()], { examples: [null] }),
    /** The pending change; null if there is none. */
    pending: Type.Union([
      Type.Object({
        transferFeePercent: Type.Number({ examples: [2.5] }),
        transferFeeMaximum: Type.Union([Amount, Type.Null()], { examples: [null] }),
        fromEpoch: Type.String({ ...Amount, examples: ['812'] }),
      }),
      Type.Null(),
    ]),
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, basisPoints, maximum, pending } }) => ({
    tokenId,
    transferFeePercent: percentFromBasisPoints(basisPoints),
    transferFeeMaximum: maximum,
    pending: pending && {
      transferFeePercent: percentFromBasisPoints(pending.basisPoints),
      transferFeeMaximum: pending.maximum,
      fromEpoch: pending.fromEpoch,
    },
  }),
});
