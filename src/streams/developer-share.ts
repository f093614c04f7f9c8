/** Shares of the developer's part of a token's tax. */
import { Type } from '@sinclair/typebox';
import { Address, BasisPoints, described } from './value-types.ts';

export const DeveloperShare = Type.Object(
  { wallet: Address, basisPoints: described(BasisPoints, "Of the developer's part of the tax.", [2_500]) },
  { title: 'DeveloperShare' },
);

export const DeveloperWallets = Type.Array(DeveloperShare, {
  maxItems: 10,
  description:
    "Wallets that share the developer's part: each gets its basis points of it, rounded down, and `developerWallet` gets the rest.",
});
