/** The form in which a pending transfer fee is shown. */
import { Type } from '@sinclair/typebox';
import { percentFromBasisPoints } from '../streams/percent.ts';
import type { TransferFeeRates } from '../streams/token.ts';
import { Amount } from '../streams/values.ts';

/** A transfer fee that was set and is not valid yet. */
export const PendingTransferFee = Type.Object(
  {
    percent: Type.Number(),
    fromEpoch: Type.String({ ...Amount, description: 'The first epoch of the chain in which it is taken.' }),
  },
  { title: 'PendingTransferFee', examples: [{ percent: 2.5, fromEpoch: '812' }] },
);

/** The member as answers have it: absent while nothing is pending. */
export function pendingTransferFeeView(pending: TransferFeeRates['pending']) {
  return pending === null
    ? {}
    : {
        pendingTransferFee: {
          percent: percentFromBasisPoints(pending.basisPoints),
          fromEpoch: pending.fromEpoch,
        },
      };
}
