/** Applies rate limits to requests before any work is done, and writes the state of the limit into the answer's headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../../kernel/runtime/define-route.ts';
import type { CountedKey } from '../../../kernel/runtime/places.ts';
import { callerKeys, partnerKey } from './caller-keys.ts';
import { limited } from './limited.ts';
import {
  isPolicyName,
  PARTNER_POLICIES,
  type Partner,
  policiesWith,
  type RateLimitPolicies,
  type RateLimitPolicyName,
} from './policies.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRateLimiter, type RateLimiter, type RateLimitResult } from './rate-limiter.ts';

export interface CallLimits {
  /** Counts the call under the policy. Throws `RATE_LIMITED` when the limit is reached. */
  count(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** For each policy what the partner's next call would be told; nothing where nothing is limited. */
  nextOf(partner: Partner): readonly RateLimitResult[];
  /** Refunds the counted call; the answer's headers show it. */
  giveBack(request: FastifyRequest, reply: FastifyReply): void;
}

/** Where a call is counted: a partner has quotas of its own, a wallet those of everybody. */
interface Count {
  readonly limiter: RateLimiter<RateLimitPolicyName>;
  readonly keys: readonly CountedKey[];
}

interface Counted {
  readonly limiter: RateLimiter<RateLimitPolicyName>;
  readonly result: RateLimitResult;
}

/** Without policies nothing is limited and no headers are set. `now` in Unix milliseconds. */
export function createCallLimits(policies: RateLimitPolicies | undefined, now: () => number): CallLimits {
  if (policies === undefined) return { count() {}, nextOf: () => [], giveBack() {} };
  const limiter = createRateLimiter({ policies, now });
  const ofPartners = new Map<string, RateLimiter<RateLimitPolicyName>>();
  const counted = new WeakMap<FastifyRequest, readonly Counted[]>();

  const limiterOf = ({ name, quotas }: Partner): RateLimiter<RateLimitPolicyName> => {
    // Quotas can change while the service runs; those who alternate between two keys of a name get no fresh windows.
    const key = `${name} ${JSON.stringify(quotas)}`;
    const known = ofPartners.get(key) ?? createRateLimiter({ policies: policiesWith(quotas, policies), now });
    ofPartners.set(key, known);
    return known;
  };

  const countsOf = (name: RateLimitPolicyName, { ip, caller, partner }: FastifyRequest): readonly Count[] => {
    const keys = callerKeys(policies[name], { ip, wallet: caller?.wallet, partner: partner?.name });
    if (partner === undefined) return [{ limiter, keys }];
    const own = partnerKey(partner.name).name;
    return [
      { limiter: limiterOf(partner), keys: keys.filter(({ name: key }) => key === own) },
      { limiter, keys: keys.filter(({ name: key }) => key !== own) },
    ].filter(({ keys: some }) => some.length > 0);
  };

  /** A call counts everywhere or nowhere: gives all counts, or only those that refuse if some do. */
  function judge(name: RateLimitPolicyName, counts: readonly Count[]): readonly Counted[] {
    if (counts.length > 1) {
      const refusing = counts
        .map(({ limiter: of, keys }) => ({ limiter: of, result: of.peek(name, keys) }))
        .filter(({ result }) => !result.allowed);
      if (refusing.length > 0) return refusing;
    }
    return counts.map(({ limiter: of, keys }) => ({ limiter: of, result: of.take(name, keys) }));
  }

  return {
    count(name, request, reply) {
      const taken = judge(name, countsOf(name, request));
      const result = tightestOf(taken);
      reply.headers(rateLimitHeaders(result));
      if (!result.allowed) throw limited(name, reply, result);
      // Reads are never refunded: only a recording call can turn out to be a replay.
      if (request.method !== 'GET') counted.set(request, taken);
    },
    nextOf: (partner) =>
      PARTNER_POLICIES.map((name) => limiterOf(partner).peek(name, [partnerKey(partner.name)])),
    giveBack(request, reply) {
      const taken = counted.get(request);
      if (taken === undefined) return;
      counted.delete(request);
      const given = taken.map(({ limiter: of, result }) => ({ limiter: of, result: of.giveBack(result) }));
      reply.headers(rateLimitHeaders(tightestOf(given)));
    },
  };
}

/** The one with the fewest calls left; of equal ones, the one whose window ends later. */
function tightestOf([first, ...others]: readonly Counted[]): RateLimitResult {
  if (first === undefined) throw new RangeError('a call must be counted somewhere');
  return others.reduce(
    (tightest, { result }) => (isTighter(result, tightest) ? result : tightest),
    first.result,
  );
}

function isTighter(one: RateLimitResult, other: RateLimitResult): boolean {
  return (
    one.remaining < other.remaining || (one.remaining === other.remaining && one.resetAt > other.resetAt)
  );
}

/** The policy that counts a route's calls. Throws for an unknown name, which is a bug. */
export function policyOf({ limit = 'general', url }: Route): RateLimitPolicyName {
  if (!isPolicyName(limit)) throw new Error(`the route ${url} names an unknown rate limit policy: ${limit}`);
  return limit;
}
