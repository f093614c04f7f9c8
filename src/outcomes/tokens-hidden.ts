/** A token left every public list. Names the token, so others can hide it too; the operators' reason stays here. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

export const tokensHidden = defineOutcome({
  name: 'tokens.hidden',
  summary: 'A token is hidden. Take it down; no other events of it are sent until `tokens.shown`.',
  of: 'TokenHidden',
  audience: 'public',
  data: Type.Object({ tokenId: Uuid }),
  subject: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId } }) => ({ tokenId }),
});
