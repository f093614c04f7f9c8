/** View of a launch's prices for its creator, and the address of its pool. */
import { type Static, Type } from '@sinclair/typebox';
import { priceText, sqrtPriceOfMarketCap } from '../chain/venue/curve.ts';
import type { Launch } from '../streams/purposes/token-launch.ts';
import { Address, described } from '../streams/value-types.ts';

export const BondingCurveId = described(Address, "Address of the launch's pool (DAMM v2).");

const Price = (description: string) =>
  Type.String({
    pattern: '^[0-9]+(\\.[0-9]+)?$',
    description: `${description} In lamports per whole token, truncated to 12 significant digits.`,
    examples: ['25'],
  });

export const LaunchCurve = Type.Object({
  startPrice: Price('First price.'),
  endPrice: Price('Price at which the target is reached; the price can rise further.'),
  priceMultiplier: Type.String({ pattern: '^[0-9]+$', examples: ['16'] }),
});

export function launchCurve(launch: Launch): Static<typeof LaunchCurve> {
  const { decimals, supply, targetMarketCap, startRatio, sqrtMinPrice } = launch;
  const endPrice = sqrtPriceOfMarketCap(BigInt(targetMarketCap), BigInt(supply));
  return {
    startPrice: priceText(BigInt(sqrtMinPrice), decimals),
    endPrice: priceText(endPrice, decimals),
    priceMultiplier: String(startRatio),
  };
}
