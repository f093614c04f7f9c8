/** A hidden token is back in the public lists. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

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
