/** Finds the token of a draft. Only its creator may have drafts for it. */

import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { ownedToken, type TokenState, token } from '../streams/token.ts';
import { requireAddress } from '../views/address-params.ts';
import { requireCreator, tokenIdOf } from '../views/token-access.ts';
import { requireToken } from './token-in-route.ts';

export type OwnToken = NonNullable<TokenState>;

/**
 * Finds the token by its mint address and loads its stream. Rejects with `INVALID_ADDRESS` (of `field`),
 * `TOKEN_NOT_FOUND` or `NOT_TOKEN_CREATOR`.
 */
export async function ownToken(
  { executor }: RuntimeServices,
  mint: { readonly field: string; readonly address: string },
  caller: string,
): Promise<OwnToken> {
  requireAddress(mint.field, mint.address);
  const { state } = await executor.load(token, tokenIdOf(mint.address));
  requireCreator(ownedToken(state), caller);
  return requireToken(state);
}
