/**
 * Counts calls in fixed windows, in this process: limits reset on restart, and each instance counts separately.
 * rate-limiter-flexible 11.4.0 cannot count two keys atomically, and a call took 2.3 to 3.4 times as long in runs of
 * 300,000.
 */
import type { CountedKey } from '../../../kernel/runtime/concurrency-limit.ts';
import type { Quota, RateLimitPolicy } from './policies.ts';

export type RateLimitResult = ReturnType<typeof answerFor>;

export interface LimitedKey extends CountedKey {
  /** Replaces the policy's quota. */
  readonly limit?: Quota | undefined;
}

interface RateLimiterOptions<Name extends string> {
  policies: Readonly<Record<Name, RateLimitPolicy>>;
  /** Unix milliseconds. */
  now: () => number;
  /**
   * Windows per policy. Beyond it, the oldest are dropped, which resets their limits; refusing calls would let a flood
   * lock out every caller.
   */
  maxWindows?: number;
}

interface Window {
  readonly key: string;
  count: number;
  readonly endsAt: number;
}

/** Window in which a call is counted, with the limit of this call. */
interface Counted {
  readonly window: Window;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Windows of the policy that have the same length, in the order in which they end. */
  readonly held: Map<string, Window>;
}

export function createRateLimiter<Name extends string>(options: RateLimiterOptions<Name>) {
  const { policies, now, maxWindows = 50_000 } = options;
  /** Keyed by policy and length. */
  const windows = new Map<string, Map<string, Window>>();

  function find(name: Name, { name: key, times, limit = policies[name] }: LimitedKey, at: number): Counted {
    const { quota, windowSeconds } = limit;
    const kind = `${name} ${windowSeconds}`;
    const held = windows.get(kind) ?? new Map<string, Window>();
    windows.set(kind, held);
    dropEnded(held, at);
    const end = at + windowSeconds * 1_000;
    const window = current(held.get(key), at, end) ?? { key, count: 0, endsAt: end };
    return { window, quota: quota * times, windowSeconds, held };
  }

  function judge(name: Name, keys: readonly LimitedKey[], counts: boolean): RateLimitResult {
    const at = now();
    const found = keys.map((key) => find(name, key, at));
    const tightest = tightestOf(found);
    const left = leftIn(tightest) - 1;
    const taken = answerFor(name, tightest, { at, left });
    if (left < 0 || !counts) return taken;
    for (const { window, held } of found) {
      window.count += 1;
      if (held.get(window.key) === window) continue;
      // Deleted first, so that the map stays in the order in which windows end.
      held.delete(window.key);
      held.set(window.key, window);
      dropOldest(held, maxWindows);
    }
    return taken;
  }

  return {
    /**
     * Counts one call under each key (at least one) and returns the state of the key with the fewest calls left.
     * Refused calls do not count, so that a caller who keeps trying is admitted when the window ends, and one key's
     * refusal does not use up another's quota.
     */
    take: (name: Name, keys: readonly LimitedKey[]) => judge(name, keys, true),
    /** Returns the result of `take`, without counting. */
    peek: (name: Name, keys: readonly LimitedKey[]) => judge(name, keys, false),

    /** Number of windows in memory. */
    get size() {
      let size = 0;
      for (const held of windows.values()) size += held.size;
      return size;
    },
  };
}

/** Returns the window if it is running. A window that ends later than a new one is from before the clock was set back. */
function current(window: Window | undefined, at: number, freshEnd: number): Window | undefined {
  return window && window.endsAt > at && window.endsAt <= freshEnd ? window : undefined;
}

/** `left` is negative for a refused call. */
function answerFor(
  policy: string,
  { window: { endsAt }, quota, windowSeconds }: Counted,
  { at, left }: { readonly at: number; readonly left: number },
) {
  return {
    allowed: left >= 0,
    policy,
    /** Calls allowed in a window, for the key with the fewest left. */
    limit: quota,
    windowSeconds,
    /** Calls left for that key. */
    remaining: Math.max(0, left),
    /** Seconds, rounded up, until its window ends. */
    resetSeconds: Math.max(0, Math.ceil((endsAt - at) / 1_000)),
    /** Unix seconds, rounded up, at which it ends. */
    resetAt: Math.ceil(endsAt / 1_000),
  };
}

/**
 * Returns the window with the fewest calls left; of equal ones, the one that ends later, because it decides when calls
 * are allowed again.
 */
function tightestOf([first, ...others]: readonly Counted[]): Counted {
  if (first === undefined) throw new RangeError('a call must be counted under at least one key');
  return others.reduce((tightest, other) => {
    const more = leftIn(other) - leftIn(tightest);
    const isTighter = more < 0 || (more === 0 && other.window.endsAt > tightest.window.endsAt);
    return isTighter ? other : tightest;
  }, first);
}

function leftIn({ window, quota }: Counted): number {
  return quota - window.count;
}

function dropEnded(held: Map<string, Window>, at: number): void {
  for (const [key, window] of held) {
    if (window.endsAt > at) return;
    held.delete(key);
  }
}

function dropOldest(held: Map<string, Window>, most: number): void {
  for (const key of held.keys()) {
    if (held.size <= most) return;
    held.delete(key);
  }
}

/**
 * Response headers of a rate limit: the IETF draft's fields, the older X-RateLimit names, and Retry-After. Names are in
 * lower case. `retry-after` is set only for a refused call.
 */
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
