/** Projection with one document per partner: the sums of its calls over all processes. */
import { type PartnerCalls, partnerUsageId } from '../streams/partner-usage.ts';
import { defineProjection } from './levy-projection.ts';

export type PartnerUsageDocument = PartnerCalls & {
  /** Start of the first count. */
  readonly since: string;
  /** Revision of the latest included count. */
  readonly revision: number;
};

export const partnerUsage = defineProjection<PartnerUsageDocument>({
  name: 'partner_usage',
  version: 1,
  indexes: {},
  on: {
    PartnerCallsCounted: {
      key: ({ data }) => partnerUsageId(data.partner),
      apply: (before, { data, revision }) => ({
        ...callsTogether(before, data),
        since: before?.since ?? data.since,
        revision,
      }),
    },
  },
});

/** Adds two counts. */
export function callsTogether(one: PartnerCalls | undefined, other: PartnerCalls): PartnerCalls {
  return {
    calls: (one?.calls ?? 0) + other.calls,
    byStatus: together(one?.byStatus, other.byStatus),
    refusals: together(one?.refusals, other.refusals),
    limitedBy: together(one?.limitedBy, other.limitedBy),
  };
}

type Counts = Readonly<Record<string, number>>;

function together(one: Counts = {}, other: Counts): Counts {
  const sums = Object.entries(other).map(([name, count]) => [name, (one[name] ?? 0) + count] as const);
  return { ...one, ...Object.fromEntries(sums) };
}
