/** A token left every public list, or is back in them. The operators' reason stays here. */
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

export const tokensShown = defineOutcome({
  name: 'tokens.shown',
  summary: 'A hidden token is shown again. Fetch it again: events in between were not sent.',
  of: 'TokenShown',
  audience: 'public',
  data: Type.Object({ tokenId: Uuid }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId } }) => ({ tokenId }),
});
