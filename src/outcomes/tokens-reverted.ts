/** A token that was published as created does not exist after all. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

export const tokensReverted = defineOutcome({
  name: 'tokens.reverted',
  summary: 'A fork of the chain took the creation back: there is no such token. Rare.',
  of: 'TokenCreationReverted',
  audience: 'public',
  data: Type.Object({ tokenId: Uuid }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId } }) => ({ tokenId }),
});
