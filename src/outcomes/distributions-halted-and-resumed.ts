/** A token's distribution is halted until an operator resumes it. The operator's own reason is not published. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { HALT_CODES } from '../streams/distribution.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsHalted = defineOutcome({
  name: 'distributions.halted',
  summary: "A token's distribution was halted, by an operator or because a check failed; nothing is lost.",
  of: 'DistributionHalted',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    /** The halted run; null between runs. */
    runId: Type.Union([Uuid, Type.Null()]),
    code: Type.String({
      description: `${HALT_CODES.map((code) => `\`${code}\``).join(', ')}. Others may be added.`,
      examples: [HALT_CODES[0]],
    }),
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, runId, code } }) => ({ tokenId, runId, code }),
});

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
