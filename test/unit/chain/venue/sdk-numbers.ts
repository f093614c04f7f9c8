/** Numbers as the venue's own SDK wants them, and back. */
import BN from 'bn.js';

export function bn(value: bigint): BN {
  return new BN(value.toString());
}

export function big(value: BN): bigint {
  return BigInt(value.toString());
}
