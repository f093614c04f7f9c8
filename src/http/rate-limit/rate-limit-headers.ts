/** Says a rate limit in response headers: the IETF draft's structured fields, the older names that clients know, and Retry-After. */
import type { RateLimitResult } from './rate-limiter.ts';

/** Header names are in lower case, values are text. `retry-after` is there only when the call was refused. */
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
