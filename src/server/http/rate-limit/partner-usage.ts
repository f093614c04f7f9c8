/** Counts what partners call in this process. As many are counted as have called with a right key. */
import type { Partner } from './policies.ts';
import type { RateLimitResult } from './rate-limiter.ts';

export interface PartnerUsage {
  /** A call with a right key has begun: the quotas of that key are those that are told. */
  begun(partner: Partner): void;
  /** Called when an answer has ended, so it must be cheap. */
  answered(
    partner: Partner,
    answer: {
      readonly status: number;
      /** The problem's code, if it was refused. */
      readonly code: string | undefined;
      /** The policy that refused it, if one did. */
      readonly limitedBy: string | undefined;
    },
  ): void;
  /** Where the state of the partner's quotas is read: for each policy what the next call would be told. */
  watchQuotas(next: (partner: Partner) => readonly RateLimitResult[]): void;
  /** What the partner of this name is told. */
  of(name: string): UsageReport;
}

export interface UsageReport {
  readonly partner: string;
  readonly since: string;
  readonly calls: number;
  readonly byStatus: { readonly httpStatus: number; readonly calls: number }[];
  readonly refusals: { readonly code: string; readonly calls: number }[];
  readonly quotas: {
    readonly policy: string;
    readonly calls: number;
    readonly windowSeconds: number;
    readonly remaining: number;
    readonly endsAt: string | null;
    readonly refused: number;
  }[];
}

interface Counts {
  /** With the quotas of the key that called last. */
  latest: Partner | undefined;
  calls: number;
  readonly statuses: Map<number, number>;
  readonly codes: Map<string, number>;
  readonly policies: Map<string, number>;
}

export function createPartnerUsage(now: () => Date): PartnerUsage {
  const since = now().toISOString();
  const known = new Map<string, Counts>();
  let nextOf: (partner: Partner) => readonly RateLimitResult[] = () => [];

  const countsOf = (name: string): Counts => {
    const found = known.get(name) ?? {
      latest: undefined,
      calls: 0,
      statuses: new Map(),
      codes: new Map(),
      policies: new Map(),
    };
    known.set(name, found);
    return found;
  };

  return {
    begun(partner) {
      countsOf(partner.name).latest = partner;
    },
    answered({ name }, { status, code, limitedBy }) {
      const counts = countsOf(name);
      counts.calls += 1;
      countOne(counts.statuses, status);
      if (code !== undefined) countOne(counts.codes, code);
      if (limitedBy !== undefined) countOne(counts.policies, limitedBy);
    },
    watchQuotas(next) {
      nextOf = next;
    },
    of(name) {
      const { latest, calls, statuses, codes, policies } = countsOf(name);
      const next = latest === undefined ? [] : nextOf(latest);
      return {
        partner: name,
        since,
        calls,
        byStatus: [...statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => ({ httpStatus: status, calls: count })),
        refusals: [...codes].sort().map(([code, count]) => ({ code, calls: count })),
        quotas: next.map((each) => quotaReport(each, policies.get(each.policy) ?? 0)),
      };
    },
  };
}

function quotaReport(next: RateLimitResult, refused: number): UsageReport['quotas'][number] {
  const { policy, limit, windowSeconds, allowed, remaining, resetAt } = next;
  const left = allowed ? remaining + 1 : 0;
  const endsAt = left === limit ? null : new Date(resetAt * 1_000).toISOString();
  return { policy, calls: limit, windowSeconds, remaining: left, endsAt, refused };
}

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
