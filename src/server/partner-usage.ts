/** Counts partners' calls to this process since its start. Memory is bounded by the number of partners with a valid key. */
import type { Partner } from './http/rate-limit/policies.ts';
import type { RateLimitResult } from './http/rate-limit/rate-limiter.ts';
import type { ResponseObserver } from './http/response-log.ts';

export type PartnerUsage = ReturnType<typeof createPartnerUsage>;

type Answer = Parameters<NonNullable<ResponseObserver['ofPartner']>>[1];
type Counts = Record<string, number>;

interface Usage {
  /** Partner entry, with the quotas, of the key that was used last. */
  latest: Partner | undefined;
  calls: number;
  readonly byStatus: Counts;
  readonly refusals: Counts;
  readonly limitedBy: Counts;
}

export function createPartnerUsage(startedAt: Date) {
  const known = new Map<string, Usage>();
  let nextOf: (partner: Partner) => readonly RateLimitResult[] = () => [];

  const usageOf = (name: string): Usage => {
    const found = known.get(name) ?? {
      latest: undefined,
      calls: 0,
      byStatus: {},
      refusals: {},
      limitedBy: {},
    };
    known.set(name, found);
    return found;
  };

  return {
    /** Called when a call with a valid key starts: the report shows that key's quotas. */
    begun(partner: Partner) {
      usageOf(partner.name).latest = partner;
    },
    /** Called when a response has ended, so it must be cheap. */
    answered({ name }: Partner, { status, code, limitedBy }: Answer) {
      const usage = usageOf(name);
      usage.calls += 1;
      countOne(usage.byStatus, String(status));
      if (code !== undefined) countOne(usage.refusals, code);
      if (limitedBy !== undefined) countOne(usage.limitedBy, limitedBy);
    },
    /** Sets the function that returns the result of a partner's next call under each policy. */
    watchQuotas(next: typeof nextOf) {
      nextOf = next;
    },
    /** Usage report of a partner. */
    of(name: string) {
      const { latest, calls, byStatus, refusals, limitedBy } = usageOf(name);
      const next = latest === undefined ? [] : nextOf(latest);
      return {
        partner: name,
        since: startedAt.toISOString(),
        calls,
        byStatus: Object.entries(byStatus).map(([status, count]) => ({
          httpStatus: Number(status),
          calls: count,
        })),
        refusals: Object.keys(refusals)
          .sort()
          .map((code) => ({ code, calls: refusals[code] ?? 0 })),
        quotas: next.map((each) => quotaReport(each, limitedBy[each.policy] ?? 0)),
      };
    },
  };
}

function quotaReport(next: RateLimitResult, refused: number) {
  const { policy, limit, windowSeconds, allowed, remaining, resetAt } = next;
  const left = allowed ? remaining + 1 : 0;
  const endsAt = left === limit ? null : new Date(resetAt * 1_000).toISOString();
  return { policy, calls: limit, windowSeconds, remaining: left, endsAt, refused };
}

function countOne(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
