/**
 * Counts partners' calls in this process, and records the counts periodically, so that all processes report one sum,
 * which survives a restart. Memory is bounded by the number of partners with a valid key.
 */
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import { randomId } from '../kernel/runtime/ids.ts';
import { callsTogether, type PartnerUsageDocument } from '../projections/partner-usage.ts';
import {
  type PartnerCalls,
  PartnerCallsCounted,
  partnerUsage,
  partnerUsageId,
} from '../streams/partner-usage.ts';
import type { Partner } from './http/rate-limit/policies.ts';
import type { RateLimitResult } from './http/rate-limit/rate-limiter.ts';
import type { ResponseObserver } from './http/response-log.ts';

export type PartnerUsage = ReturnType<typeof createPartnerUsage>;

type Answer = Parameters<NonNullable<ResponseObserver['ofPartner']>>[1];
type Count = PartnerCalls & { readonly countId: string; readonly since: string };

interface CachedUsage {
  /** Partner entry, with the quotas, of the key that was used last. */
  latest?: Partner;
  /** Undefined until the partner calls again. */
  current?: Count | undefined;
  /** Count that is being recorded, or may have been. */
  closed?: Count | undefined;
  /** Count that was recorded last, until the read model includes it. */
  recorded?: (PartnerCalls & { readonly revision: number }) | undefined;
}

export function createPartnerUsage(options: {
  readonly executor: Pick<Executor, 'execute'>;
  readonly now: () => Date;
}) {
  const { executor, now } = options;
  const startedAt = now().toISOString();
  const known = new Map<string, CachedUsage>();
  let nextOf: (partner: Partner) => readonly RateLimitResult[] = () => [];

  const cachedUsage = (name: string): CachedUsage => {
    const found = known.get(name) ?? {};
    known.set(name, found);
    return found;
  };

  return {
    /** Called when a call with a valid key starts: the report shows that key's quotas. */
    begun(partner: Partner) {
      cachedUsage(partner.name).latest = partner;
    },
    /** Called when a response has ended, so it must be cheap. */
    answered({ name }: Partner, { status, code, limitedBy }: Answer) {
      const usage = cachedUsage(name);
      usage.current ??= newCount(now());
      usage.current.calls += 1;
      countOne(usage.current.byStatus, String(status));
      if (code !== undefined) countOne(usage.current.refusals, code);
      if (limitedBy !== undefined) countOne(usage.current.limitedBy, limitedBy);
    },
    /** Records the calls since the last time, each count once. After a failure, the next call retries. */
    async record(): Promise<void> {
      for (const [partner, usage] of known) {
        if (usage.closed === undefined) {
          usage.closed = usage.current;
          usage.current = undefined;
        }
        const { closed } = usage;
        if (closed === undefined) continue;
        const { revision } = await executor.execute(
          partnerUsage,
          partnerUsageId(partner),
          causeOf('partner-usage'),
          (recent) => (recent.includes(closed.countId) ? [] : [PartnerCallsCounted({ partner, ...closed })]),
        );
        usage.closed = undefined;
        usage.recorded = revision === 'none' ? undefined : { ...closed, revision };
      }
    },
    /** Sets the function that returns the result of a partner's next call under each policy. */
    watchQuotas(next: typeof nextOf) {
      nextOf = next;
    },
    /** Usage report of a partner; `shown` contains its recorded calls. */
    of(name: string, shown: PartnerUsageDocument | undefined) {
      const { latest, current, closed, recorded } = cachedUsage(name);
      const unshown = recorded !== undefined && recorded.revision > (shown?.revision ?? -1) ? recorded : NONE;
      const { calls, byStatus, refusals, limitedBy } = [unshown, closed ?? NONE, current ?? NONE].reduce(
        callsTogether,
        shown ?? NONE,
      );
      const next = latest === undefined ? [] : nextOf(latest);
      return {
        partner: name,
        since: shown?.since ?? startedAt,
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

const NONE: PartnerCalls = { calls: 0, byStatus: {}, refusals: {}, limitedBy: {} };

function newCount(at: Date): Count {
  return { countId: randomId(), since: at.toISOString(), ...structuredClone(NONE) };
}

function quotaReport(next: RateLimitResult, refused: number) {
  const { policy, limit, windowSeconds, allowed, remaining, resetAt } = next;
  const left = allowed ? remaining + 1 : 0;
  const endsAt = left === limit ? null : new Date(resetAt * 1_000).toISOString();
  return { policy, calls: limit, windowSeconds, remaining: left, endsAt, refused };
}

function countOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
