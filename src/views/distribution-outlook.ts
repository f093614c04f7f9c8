/** Computes when a token's next run is due, and what its distribution waits for. */
import { type Static, Type } from '@sinclair/typebox';
import type { DistributionSwitchDocument } from '../projections/distribution-switch.ts';
import type { DistributionDocument } from '../projections/distributions.ts';
import { HALT_CODES, SKIP_REASONS } from '../streams/distribution.ts';
import { gridTimeAfter } from '../streams/distribution-interval.ts';
import { orNull, Timestamp } from '../streams/value-types.ts';

export const WaitingFor = Type.Object(
  {
    code: Type.String({
      description:
        '`next-run`: waits for its interval. `run`: a run is in progress. `disabled`: its creator has disabled ' +
        'it. `hidden`: an operator has hidden the token. `all-halted`: operators have halted all ' +
        `distributions. Other codes are reasons why the last due run was not opened (${code(SKIP_REASONS)}) or why the ` +
        `distribution was halted (${code(HALT_CODES)}). More codes may be added.`,
      examples: ['next-run'],
    }),
    detail: Type.String({ description: 'Explanation for users.', examples: ['The next run is due.'] }),
    since: orNull(Timestamp),
  },
  { title: 'DistributionWaitingFor' },
);

export type WaitingFor = Static<typeof WaitingFor>;

const HALTED: { readonly [code: string]: string } = {
  OPERATOR: 'An operator has halted the distribution.',
};
const CHECK_FAILED =
  'A failed check has halted the distribution. An operator investigates it; no payment is lost or made twice.';

export function waitingFor(
  distribution: DistributionDocument,
  allHalted: DistributionSwitchDocument | undefined,
): WaitingFor {
  const { halted, openRunId, lastOpenedAt, hidden, enabled, skipped } = distribution;
  if (halted !== null)
    return { code: halted.code, detail: HALTED[halted.code] ?? CHECK_FAILED, since: halted.since };
  if (allHalted !== undefined) {
    const detail = 'Operators have halted the distribution of all tokens.';
    return { code: 'all-halted', detail, since: allHalted.since };
  }
  if (openRunId !== null) return { code: 'run', detail: 'A run is in progress.', since: lastOpenedAt };
  if (hidden) return { code: 'hidden', detail: 'An operator has hidden the token.', since: null };
  if (!enabled) {
    return { code: 'disabled', detail: 'The creator has disabled the distribution.', since: null };
  }
  if (skipped !== null) return { code: skipped.reason, detail: skipped.detail, since: skipped.since };
  return { code: 'next-run', detail: 'The next run is opened when it is due.', since: null };
}

/** Null if no run will be opened: the token's distribution is disabled or halted, or the token is hidden. */
export function nextRunAt(
  distribution: Pick<DistributionDocument, 'enabled' | 'hidden' | 'lastDueAt' | 'createdAt' | 'interval'> & {
    /** Null unless the distribution is halted. */
    readonly halted: object | null;
  },
  allHalted: DistributionSwitchDocument | undefined,
  now: Date,
): string | null {
  const { enabled, hidden, halted, lastDueAt } = distribution;
  if (!enabled || hidden || halted !== null || allHalted !== undefined) return null;
  const behind = Math.max(now.getTime(), lastDueAt === null ? 0 : Date.parse(lastDueAt));
  return gridTimeAfter(distribution, new Date(behind));
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
