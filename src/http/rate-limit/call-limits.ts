/** Applies rate limits to requests before any work is done, and writes the state of the limit into the answer's headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import { callerKeys } from './caller-keys.ts';
import { isPolicyName, type RateLimitPolicies, type RateLimitPolicyName } from './policies.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRateLimiter, type RateLimitResult } from './rate-limiter.ts';

export interface CallLimits {
  /** Counts the call under the policy. Throws `RATE_LIMITED` when the limit is reached. */
  count(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** Throws `RATE_LIMITED` when the limit is reached, without counting. */
  check(policy: RateLimitPolicyName, request: FastifyRequest, reply: FastifyReply): void;
  /** Refunds the counted call; the answer's headers show it. */
  giveBack(request: FastifyRequest, reply: FastifyReply): void;
}

/** Without policies nothing is limited and no headers are set. `now` in Unix milliseconds. */
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
      // Reads are never refunded: only a recording call can turn out to be a replay.
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

/** The policy that counts a route's calls. Throws for an unknown name, which is a bug. */
export function policyOf({ limit = 'general', url }: Route): RateLimitPolicyName {
  if (!isPolicyName(limit)) throw new Error(`the route ${url} names an unknown rate limit policy: ${limit}`);
  return limit;
}

function limited(name: RateLimitPolicyName, reply: FastifyReply, { resetSeconds }: RateLimitResult) {
  reply.limitedBy = name;
  return rejection('RATE_LIMITED', `Too many requests; try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
}
