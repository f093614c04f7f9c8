/** The limits of inputs that an operator sets, as the API's description shows them. */
import type { TSchema } from '@sinclair/typebox';
import { TransferFeePercent } from './distribution-input.ts';

export function configuredLimits({
  maxTransferFeeBasisPoints,
}: {
  readonly maxTransferFeeBasisPoints: number;
}): ReadonlyMap<TSchema, { readonly maximum: number }> {
  return new Map([[TransferFeePercent, { maximum: maxTransferFeeBasisPoints / 100 }]]);
}
