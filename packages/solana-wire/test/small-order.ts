// Every encoding of a point of small order, computed from the curve and not copied from the code under test.
import { ed25519 } from '@noble/curves/ed25519.js';

const fieldPrime = 2n ** 255n - 19n;

/**
 * The eight points in their canonical encodings, and the encodings that name one of them in another way: y not
 * reduced, or a sign where x is zero.
 */
export function smallOrderEncodings(): Uint8Array[] {
  const distinctY = new Set(smallOrderPoints().map((point) => point.toAffine().y));
  return [...distinctY]
    .flatMap((y) => [y, y + fieldPrime])
    .filter((y) => y < 2n ** 255n)
    .flatMap((y) => [y, y + 2n ** 255n])
    .map((encoded) => Buffer.from(encoded.toString(16).padStart(64, '0'), 'hex').reverse());
}

export function smallOrderPoints() {
  const { Point } = ed25519;
  const generator = pointOfOrderEight();
  const points = [Point.ZERO];
  for (let next = generator; !next.equals(Point.ZERO); next = next.add(generator)) points.push(next);
  return points;
}

/** What is left of some point when its part in the prime-order subgroup is taken away. */
export function pointOfOrderEight() {
  const { Point } = ed25519;
  for (let y = 2; y < 256; y += 1) {
    const bytes = new Uint8Array(32);
    bytes[0] = y;
    try {
      const point = Point.fromHex(bytes);
      const torsion = point.multiplyUnsafe(Point.Fn.ORDER - 1n).add(point);
      if (!torsion.multiplyUnsafe(4n).equals(Point.ZERO)) return torsion;
    } catch {
      // Not on the curve: try the next.
    }
  }
  throw new Error('no point with a full torsion part found');
}
