/** Divides the developer's part of a run among its wallets. */
import type { DistributionSettings } from '../../streams/distribution-settings.ts';
import { partOf } from './split-tax.ts';

/**
 * Positive amounts by wallet: each wallet of `developerWallets`, and the partner's, gets its basis points, rounded down, and
 * `developerWallet` the rest. A wallet with several shares gets their sum.
 */
export function developerParts(
  {
    developerWallet,
    developerWallets = [],
    partnerShare,
  }: Pick<DistributionSettings, 'developerWallet' | 'developerWallets' | 'partnerShare'>,
  amount: bigint,
): ReadonlyMap<string, bigint> {
  const parts = new Map<string, bigint>();
  const add = (wallet: string, part: bigint) => {
    if (part > 0n) parts.set(wallet, (parts.get(wallet) ?? 0n) + part);
  };
  let rest = amount;
  for (const { wallet, basisPoints } of [...(partnerShare ? [partnerShare] : []), ...developerWallets]) {
    const part = partOf(amount, basisPoints);
    add(wallet, part);
    rest -= part;
  }
  add(developerWallet, rest);
  return parts;
}
