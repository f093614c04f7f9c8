/** A run was due and was not opened. Published once for each reason. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { SKIP_REASONS } from '../streams/distribution.ts';
import { Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsSkipped = defineOutcome({
  name: 'distributions.skipped',
  summary: 'A due run was not opened, and those after it will not be while `code` stays the same.',
  of: 'RunSkipped',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    dueAt: Timestamp,
    code: Type.String({
      description: `${SKIP_REASONS.map((code) => `\`${code}\``).join(', ')}. Others may be added.`,
      examples: [SKIP_REASONS[0]],
    }),
    detail: Type.String({
      description: 'A sentence with the figures.',
      examples: ['Its fees of 0.002 SOL would take more than 10 percent of 0.01 SOL.'],
    }),
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, dueAt, reason, detail } }) => ({ tokenId, dueAt, code: reason, detail }),
});
