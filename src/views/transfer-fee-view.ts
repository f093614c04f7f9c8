/** View of a pending transfer fee. */
import { Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from '../streams/percent.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { Amount, described, orNull } from '../streams/value-types.ts';

export const TransferFeeMaximum = orNull(Amount, {
  description: 'Maximum tax of one transfer, in base units; null if only the percentage applies.',
  examples: [null],
});

/** Transfer fee that is set and not valid yet. */
export const PendingTransferFee = Type.Object(
  {
    transferFeePercent: Type.Number(),
    transferFeeMaximum: TransferFeeMaximum,
    fromEpoch: described(Amount, 'First epoch of the chain in which the fee applies.'),
  },
  {
    title: 'PendingTransferFee',
    examples: [{ transferFeePercent: 2.5, transferFeeMaximum: null, fromEpoch: '812' }],
  },
);

/** Member of responses; absent if no change is pending. */
export function pendingTransferFeeView(pending: TransferFeeRates['pending']) {
  return pending === null
    ? {}
    : {
        pendingTransferFee: {
          transferFeePercent: percentFromBasisPoints(pending.basisPoints),
          transferFeeMaximum: pending.maximum,
          fromEpoch: pending.fromEpoch,
        },
      };
}
