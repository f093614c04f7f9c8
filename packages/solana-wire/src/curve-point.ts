/**
 * Checks whether 32 bytes are a point of the Ed25519 curve. A Jacobi symbol shows whether x exists without computing
 * it, because a run checks every holder.
 */

const PRIME = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
/** Masks the highest bit of the 32 bytes, which is the sign of x. */
const Y_MASK = 2n ** 255n - 1n;

/** Follows the chain's rule: any 32 bytes encode a y, including values that no key pair has. */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const y = littleEndian(bytes) & Y_MASK;
  const square = (y * y) % PRIME;
  // x * x = (y * y - 1) / (d * y * y + 1): a quotient is a square exactly if the product is.
  return isSquare(((square + PRIME - 1n) * (((D * square) % PRIME) + 1n)) % PRIME);
}

function littleEndian(bytes: Uint8Array): bigint {
  const { buffer, byteOffset } = bytes;
  const view = new DataView(buffer, byteOffset, 32);
  let value = 0n;
  for (let at = 24; at >= 0; at -= 8) value = (value << 64n) | view.getBigUint64(at, true);
  return value;
}

/** True if a number below the prime is a square modulo the prime: its Jacobi symbol is not -1. */
function isSquare(number: bigint): boolean {
  let [upper, lower] = [number, PRIME];
  let isNegative = false;
  while (upper !== 0n) {
    let low = Number(upper & 0xffffffffn);
    while (low === 0) {
      // An even number of twos does not change the sign.
      upper >>= 32n;
      low = Number(upper & 0xffffffffn);
    }
    const twos = 31 - Math.clz32(low & -low);
    if (twos > 0) upper >>= BigInt(twos);
    const lowerBits = Number(lower & 7n);
    if (twos % 2 === 1 && (lowerBits === 3 || lowerBits === 5)) isNegative = !isNegative;
    if (lowerBits % 4 === 3 && Number(upper & 3n) === 3) isNegative = !isNegative;
    [upper, lower] = [lower % upper, upper];
  }
  return !isNegative;
}
