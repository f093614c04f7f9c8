/** Writes a rate limit's state as response headers: the IETF draft's fields, the older X-RateLimit names, and Retry-After. */
import type { RateLimitResult } from './rate-limiter.ts';

/** Header names are in lower case. `retry-after` is present only when the call was refused. */
export function rateLimitHeaders(result: RateLimitResult): Record<string, string> {
  const { allowed, policy, limit, windowSeconds, remaining, resetSeconds, resetAt } = result;
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAt),
    ...(allowed ? {} : { 'retry-after': String(resetSeconds) }),
  };
}
