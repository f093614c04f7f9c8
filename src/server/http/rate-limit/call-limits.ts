/** Applies rate limits to requests before any other work, and writes the state of the limit into the response headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../../kernel/runtime/define-route.ts';
import { rejection } from '../../../streams/rejections.ts';
import { callerKeys, partnerKey } from './caller-keys.ts';
import {
  isPolicyName,
  PARTNER_POLICIES,
  type Partner,
  type RateLimitPolicies,
  type RateLimitPolicyName,
} from './policies.ts';
import {
  createRateLimiter,
  type LimitedKey,
  type RateLimitResult,
  rateLimitHeaders,
} from './rate-limiter.ts';

export interface CallLimits {
  /** Counts the call under the policy. Throws `RATE_LIMITED` if the limit is reached. */
  count(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** Result of the partner's next call under each policy; empty without rate limits. */
  nextOf(partner: Partner): readonly RateLimitResult[];
}

/** Without policies, nothing is limited and no headers are set. `now` in Unix milliseconds. */
export function createCallLimits(policies: RateLimitPolicies | undefined, now: () => number): CallLimits {
  if (policies === undefined) return { count() {}, nextOf: () => [] };
  const limiter = createRateLimiter({ policies, now });

  return {
    count(name, request, reply) {
      const { ip, caller, partner } = request;
      const keyOfPartner = partner && keyOf(partner, name);
      const keys = callerKeys(policies[name], { ip, wallet: caller?.wallet, partner: keyOfPartner });
      requireAllowed(name, reply, limiter.take(name, keys));
    },
    nextOf: (partner) => PARTNER_POLICIES.map((name) => limiter.peek(name, [keyOf(partner, name)])),
  };
}

/**
 * A partner has quotas of its own. The key contains only the name, so that alternating between two keys brings no new
 * windows.
 */
function keyOf({ name, quotas }: Partner, policy: RateLimitPolicyName): LimitedKey {
  return { ...partnerKey(name), limit: quotas[policy] };
}

/** The policy that counts a route's calls. Throws for an unknown name, which is a bug. */
export function policyOf({ limit = 'general', url }: Route): RateLimitPolicyName {
  if (!isPolicyName(limit)) throw new Error(`the route ${url} names an unknown rate limit policy: ${limit}`);
  return limit;
}

/** Writes the state of the limit into the response headers. Throws `RATE_LIMITED` for a call over the limit. */
export function requireAllowed(
  policy: RateLimitPolicyName,
  reply: FastifyReply,
  result: RateLimitResult,
): void {
  reply.headers(rateLimitHeaders(result));
  if (result.allowed) return;
  // Read by the response log.
  reply.limitedBy = policy;
  const { resetSeconds } = result;
  throw rejection('RATE_LIMITED', `Too many requests; try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
}
