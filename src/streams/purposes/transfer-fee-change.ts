/** Purpose of drafts that change a token's tax. */
import type { Static } from '@sinclair/typebox';
import { BasisPoints } from '../value-types.ts';
import { definePurpose, subjectOf } from './define-purpose.ts';

/** New tax rate, which the chain applies two epochs after the transaction lands. */
export const TransferFeeChange = subjectOf('transfer-fee-change', {
  transferFeeBasisPoints: BasisPoints,
});

export type TransferFeeChange = Static<typeof TransferFeeChange>;

export const transferFeeChangePurpose = definePurpose({
  subject: TransferFeeChange,
  recordedWhen: 'finalized',
  recordedBy: 'TransferFeeChanged',
  foundRecordedBy: 'TransferFeeChangeLanded',
});
