/** References to tokens in requests, and checks of a caller's access. */
import { Type } from '@sinclair/typebox';
import { deriveId } from '../kernel/runtime/ids.ts';
import { rejection } from '../streams/rejections.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const BASE58 = '[1-9A-HJ-NP-Za-km-z]{32,44}';

/** Text of another form is rejected as malformed; matching text may still refer to no token. */
export const TokenReference = Type.String({
  minLength: 32,
  maxLength: 44,
  pattern: `^(?:${UUID}|${BASE58})$`,
  description: 'Id of the token, or its mint address.',
  examples: ['11f82ccb-0246-5e2a-83c3-8f3a12af34d8'],
});

/** The id is derived from the mint address without a lookup. */
export function tokenIdOf(reference: string): string {
  return reference.includes('-') ? reference : deriveId('token', reference);
}

/** True for visible tokens, and for the creator of a hidden one. */
export function isVisibleTo<
  Token extends { readonly creator: string; readonly hidden: object | boolean | null },
>(token: Token | undefined, caller: string): token is Token {
  return token !== undefined && (!token.hidden || token.creator === caller);
}

/** Throws `TOKEN_NOT_FOUND` or `NOT_TOKEN_CREATOR`. */
export function requireCreator<Token extends { readonly creator: string }>(
  token: Token | undefined,
  caller: string,
): Token {
  if (token === undefined) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
  if (token.creator === caller) return token;
  throw rejection('NOT_TOKEN_CREATOR', 'Only the creator of the token may do this.');
}
