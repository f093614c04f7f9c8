/** Common parts of commands about one token. */
import { type Static, Type } from '@sinclair/typebox';
import { deriveId } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { rejection } from '../streams/rejections.ts';
import type { TokenState } from '../streams/token.ts';
import { Address } from '../streams/value-types.ts';

export const TokenParams = Type.Object({
  mintAddress: Address,
});

export function tokenIdIn({ params }: { readonly params: Static<typeof TokenParams> }): string {
  return deriveId('token', params.mintAddress);
}

type ExistingToken = NonNullable<TokenState>;

/** Throws `TOKEN_NOT_FOUND` if the token does not exist, or no longer exists. */
export function requireToken(state: TokenState): ExistingToken {
  if (state?.exists) return state;
  throw noTokenRejection();
}

export function noTokenRejection(): Rejection {
  return rejection('TOKEN_NOT_FOUND', 'Token not found.');
}
