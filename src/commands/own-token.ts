/** The token that a draft is about: only its creator may have drafts for it. */
import { parseAddress } from '../chain/address.ts';
import { deriveId } from '../runtime/ids.ts';
import type { Services } from '../services.ts';
import { rejection } from '../streams/rejections.ts';
import { type TokenState, token } from '../streams/token.ts';

export type OwnToken = NonNullable<TokenState>;

/**
 * As its stream tells of it, by its mint address. Rejects with `INVALID_ADDRESS` (of `field`), `TOKEN_NOT_FOUND` or
 * `NOT_TOKEN_CREATOR`.
 */
export async function ownToken(
  { executor }: Services,
  mint: { readonly field: string; readonly address: string },
  caller: string,
): Promise<OwnToken> {
  if (parseAddress(mint.address) === undefined) {
    throw rejection('INVALID_ADDRESS', `${mint.field} is not a mint address.`, {
      details: [{ path: [mint.field], message: 'must be 32 bytes in base58' }],
    });
  }
  const { state } = await executor.load(token, deriveId('token', mint.address));
  if (!state?.exists) throw rejection('TOKEN_NOT_FOUND', 'There is no token with this mint address.');
  if (state.created.creator !== caller) {
    throw rejection('NOT_TOKEN_CREATOR', 'Only the wallet that created the token may do this.');
  }
  return state;
}
