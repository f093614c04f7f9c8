/** How much of a taxed transfer arrives, and how much to send so that not too much does. Base units. */
import { feeOfTransfer, type TransferFee } from 'levy-solana-wire';

export function arriving(tax: TransferFee, sent: bigint): bigint {
  return sent - feeOfTransfer(tax, sent);
}

/** The largest amount, up to `wanted`, of which at most `most` arrives. */
export function largestToSend(tax: TransferFee, wanted: bigint, most: bigint): bigint {
  if (arriving(tax, wanted) <= most) return wanted;
  // What arrives never falls when more is sent: the tax grows by at most one where the amount does.
  let [fits, tooMuch] = [0n, wanted];
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) >> 1n;
    if (arriving(tax, middle) <= most) fits = middle;
    else tooMuch = middle;
  }
  return fits;
}
