/** Counts a server's calls before any work is done for them, and tells each caller how it stands. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import { callerKeys } from './caller-keys.ts';
import { isPolicyName, type RateLimitPolicies, type RateLimitPolicyName } from './policies.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRateLimiter, type RateLimitResult } from './rate-limiter.ts';

export interface CallLimits {
  /** Counts the call under the policy. Throws `RATE_LIMITED` where nothing is left. */
  count(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** Throws `RATE_LIMITED` where nothing is left, without counting. */
  check(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** The call that was counted costs nothing after all; the answer's headers say so. */
  giveBack(request: FastifyRequest, reply: FastifyReply): void;
}

/** Without policies nothing is limited, and no answer speaks of limits. `now` in Unix milliseconds. */
export function createCallLimits(policies: RateLimitPolicies | undefined, now: () => number): CallLimits {
  if (policies === undefined) return { count() {}, check() {}, giveBack() {} };
  const limiter = createRateLimiter({ policies, now });
  const counted = new WeakMap<FastifyRequest, RateLimitResult>();
  const keysOf = (name: RateLimitPolicyName, { ip, caller }: FastifyRequest) =>
    callerKeys(policies[name], { ip, wallet: caller?.wallet });

  return {
    count(name, request, reply) {
      const result = limiter.take(name, keysOf(name, request));
      reply.headers(rateLimitHeaders(result));
      if (!result.allowed) throw limited(name, reply, result);
      // To read costs what it costs: only what records can turn out to be recorded already.
      if (request.method !== 'GET') counted.set(request, result);
    },
    check(name, request, reply) {
      const result = limiter.peek(name, keysOf(name, request));
      if (result.allowed) return;
      reply.headers(rateLimitHeaders(result));
      throw limited(name, reply, result);
    },
    giveBack(request, reply) {
      const result = counted.get(request);
      if (result === undefined) return;
      counted.delete(request);
      reply.headers(rateLimitHeaders(limiter.giveBack(result)));
    },
  };
}

/** The policy that counts a route's calls. Throws for a name that is in no table: a fault of ours. */
export function policyOf({ limit = 'general', url }: Route): RateLimitPolicyName {
  if (!isPolicyName(limit)) throw new Error(`${url} names no rate limit: ${limit}`);
  return limit;
}

function limited(name: RateLimitPolicyName, reply: FastifyReply, { resetSeconds }: RateLimitResult) {
  reply.limitedBy = name;
  return rejection('RATE_LIMITED', `Too many requests; try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
}
