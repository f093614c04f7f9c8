/** What hiding and showing a token have in common. */
import { type Static, Type } from '@sinclair/typebox';
import { deriveId } from '../runtime/ids.ts';
import { rejection } from '../streams/rejections.ts';
import type { TokenState } from '../streams/token.ts';
import { Address, Uuid } from '../streams/values.ts';

export const TokenParams = Type.Object({ mintAddress: Type.String({ maxLength: 100 }) });

export const TokenVisibility = Type.Object({ tokenId: Uuid, mintAddress: Address, hidden: Type.Boolean() });

export function tokenIdOf({ params }: { readonly params: Static<typeof TokenParams> }): string {
  return deriveId('token', params.mintAddress);
}

type ExistingToken = NonNullable<TokenState>;

/** Throws `TOKEN_NOT_FOUND` where there is none, or no longer. */
export function requireToken(state: TokenState): ExistingToken {
  if (state?.exists) return state;
  throw rejection('TOKEN_NOT_FOUND', 'There is no token with this mint address.');
}

export function visibilityOf(state: TokenState): Static<typeof TokenVisibility> {
  const { created, hidden } = requireToken(state);
  const { tokenId, mintAddress } = created.token;
  return { tokenId, mintAddress, hidden: hidden !== undefined };
}
