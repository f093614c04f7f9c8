/** Input limits that an operator configures, for the API description. */
import type { TSchema } from '@sinclair/typebox';
import { TransferFeePercent } from './distribution-input.ts';

export function configuredLimits({
  maxTransferFeeBasisPoints,
}: {
  readonly maxTransferFeeBasisPoints: number;
}): ReadonlyMap<TSchema, { readonly maximum: number }> {
  return new Map([[TransferFeePercent, { maximum: maxTransferFeeBasisPoints / 100 }]]);
}
