/** The refusal of a call that is over a limit. */
import type { FastifyReply } from 'fastify';
import type { Rejection } from '../../../kernel/runtime/rejection.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { RateLimitPolicyName } from './policies.ts';
import type { RateLimitResult } from './rate-limiter.ts';

/** Notes the policy for the log. */
export function limited(
  name: RateLimitPolicyName,
  reply: FastifyReply,
  { resetSeconds }: RateLimitResult,
): Rejection {
  reply.limitedBy = name;
  return rejection('RATE_LIMITED', `Too many requests; try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
}
