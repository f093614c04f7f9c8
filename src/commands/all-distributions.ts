/** What halting and resuming the distribution of all tokens answer with. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionSwitchState } from '../streams/distribution-switch.ts';

export const AllDistributions = Type.Object(
  { halted: Type.Union([Type.Object({ reason: Type.String() }), Type.Null()]) },
  { title: 'AllDistributions', examples: [{ halted: { reason: 'The node and its witness disagree.' } }] },
);

export function allDistributionsAfter(state: DistributionSwitchState): Static<typeof AllDistributions> {
  return { halted: state ?? null };
}
