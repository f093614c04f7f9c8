/**
 * Members whose first name is not the word that the rest of the API uses: each is answered under both. The first stays, for those who
 * read it.
 */
import { Type } from '@sinclair/typebox';
import { Address } from '../streams/values.ts';

/** A launch's pool of DAMM v2. */
export const PoolFields = {
  poolAddress: Type.String({ ...Address, description: "The pool's address." }),
  bondingCurveId: Type.String({
    ...Address,
    description: 'The same as `poolAddress`, its name elsewhere: the venue has pools, and no bonding curves.',
    deprecated: true,
  }),
};

export function poolFields(poolAddress: string) {
  return { poolAddress, bondingCurveId: poolAddress };
}

export const MintFields = {
  mintAddress: Address,
  tokenMint: Type.String({
    ...Address,
    description: 'The same as `mintAddress`, its name elsewhere.',
    deprecated: true,
  }),
};

export function mintFields(mintAddress: string) {
  return { mintAddress, tokenMint: mintAddress };
}
