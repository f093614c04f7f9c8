/** Computes the tax of a transfer without a call. */
import { feeOfTransfer } from 'levy-solana-wire';

/** Tax of a token as in the API. `GET /tokens/{mintAddress}` returns the current tax and the pending one. */
export interface TransferTax {
  /** At most two decimals. */
  readonly transferFeePercent: number;
  /** Base units; null if only the percentage applies. */
  readonly transferFeeMaximum: string | null;
}

/**
 * Splits a transfer into the tax that the chain withholds, rounded up, and the amount that arrives. All in base units. Gives the
 * same numbers as `GET /tokens/{mintAddress}/transfer-quote`.
 */
export function quoteTransfer(
  amount: bigint | string,
  { transferFeePercent, transferFeeMaximum }: TransferTax,
): { readonly fee: string; readonly received: string } {
  const units = BigInt(amount);
  const maximumFee = transferFeeMaximum === null ? units : BigInt(transferFeeMaximum);
  const fee = feeOfTransfer({ basisPoints: Math.round(transferFeePercent * 100), maximumFee }, units);
  return { fee: fee.toString(), received: (units - fee).toString() };
}
