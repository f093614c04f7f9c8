/** An operator has resumed a token's distribution. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsResumed = defineOutcome({
  name: 'distributions.resumed',
  summary: 'The distribution of a token goes on where it was halted.',
  of: 'DistributionResumed',
  audience: 'public',
  data: Type.Object({ tokenId: Uuid }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId } }) => ({ tokenId }),
});
