/** The form in which a pending transfer fee is shown. */
import { Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from '../streams/percent.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { Amount, described, orNull } from '../streams/values.ts';

/** In base units. */
export const TransferFeeMaximum = orNull(Amount, {
  description: 'Maximum tax of one transfer, in base units; null if only the percentage applies.',
  examples: [null],
});

/** A transfer fee that was set and is not valid yet. */
export const PendingTransferFee = Type.Object(
  {
    transferFeePercent: Type.Number(),
    transferFeeMaximum: TransferFeeMaximum,
    fromEpoch: described(Amount, 'The first epoch of the chain in which it applies.'),
  },
  {
    title: 'PendingTransferFee',
    examples: [{ transferFeePercent: 2.5, transferFeeMaximum: null, fromEpoch: '812' }],
  },
);

/** The member as answers have it: absent while nothing is pending. */
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
