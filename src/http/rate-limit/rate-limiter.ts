/** Counts calls in fixed windows, in this process: a restart forgives, and several instances count each for itself. */
import type { RateLimitPolicy } from './policies.ts';

export interface RateLimitResult {
  allowed: boolean;
  policy: string;
  /** Calls allowed in a window. */
  limit: number;
  windowSeconds: number;
  /** Calls left in the window of the tightest key. */
  remaining: number;
  /** Seconds, rounded up, until that window ends. */
  resetSeconds: number;
  /** Unix seconds, rounded up, at which that window ends. */
  resetAt: number;
}

export interface RateLimiter<Name extends string> {
  /**
   * Counts one call under each of the keys (at least one) and answers for the tightest. A refused call is counted under none, so that a
   * caller who keeps knocking is let in when the window ends, and one key's refusal does not use up another's quota.
   */
  take(policy: Name, keys: readonly string[]): RateLimitResult;
  /** What `take` would answer, without counting. */
  peek(policy: Name, keys: readonly string[]): RateLimitResult;
  /** How many windows are held. */
  readonly size: number;
}

export interface RateLimiterOptions<Name extends string> {
  policies: Readonly<Record<Name, RateLimitPolicy>>;
  /** Unix milliseconds. */
  now: () => number;
  /** The most windows held for each policy. Beyond it the oldest are forgotten, which forgives; refusing would let a flood lock all out. */
  maxWindows?: number;
}

interface Window {
  count: number;
  endsAt: number;
}

export function createRateLimiter<Name extends string>(options: RateLimiterOptions<Name>): RateLimiter<Name> {
  const { policies, now, maxWindows = 50_000 } = options;
  // One map for each policy: its windows are equally long, so they stand in the order in which they end.
  const windows = new Map<Name, Map<string, Window>>();

  function windowsOf(name: Name): Map<string, Window> {
    let held = windows.get(name);
    if (!held) {
      held = new Map();
      windows.set(name, held);
    }
    return held;
  }

  function judge(name: Name, keys: readonly string[], counts: boolean): RateLimitResult {
    const { quota, windowSeconds } = policies[name];
    if (keys.length === 0) throw new RangeError('a call must be counted under at least one key');
    const at = now();
    const fresh: Window = { count: 0, endsAt: at + windowSeconds * 1_000 };
    const held = windowsOf(name);
    forgetEnded(held, at);

    let tightest: Window | undefined;
    const counted = new Map<string, Window>();
    for (const key of keys) {
      const window = current(held.get(key), fresh, at) ?? { ...fresh };
      counted.set(key, window);
      if (!tightest || isTighter(window, tightest)) tightest = window;
    }
    const { count, endsAt } = tightest ?? fresh;
    const allowed = count < quota;
    if (allowed && counts) {
      for (const [key, window] of counted) {
        window.count += 1;
        if (held.get(key) === window) continue;
        held.delete(key);
        held.set(key, window);
      }
      forgetOldest(held, maxWindows);
    }
    return {
      allowed,
      policy: name,
      limit: quota,
      windowSeconds,
      remaining: allowed ? quota - count - 1 : 0,
      resetSeconds: Math.ceil((endsAt - at) / 1_000),
      resetAt: Math.ceil(endsAt / 1_000),
    };
  }

  return {
    take: (name, keys) => judge(name, keys, true),
    peek: (name, keys) => judge(name, keys, false),

    get size() {
      let size = 0;
      for (const held of windows.values()) size += held.size;
      return size;
    },
  };
}

/** The window if it is running. One that ends later than a fresh one would was made before the clock was set back. */
function current(window: Window | undefined, fresh: Window, at: number): Window | undefined {
  return window && window.endsAt > at && window.endsAt <= fresh.endsAt ? window : undefined;
}

/** Of two equally used windows the one that ends later says when calls are free again. */
function isTighter(one: Window, other: Window): boolean {
  return one.count > other.count || (one.count === other.count && one.endsAt > other.endsAt);
}

function forgetEnded(held: Map<string, Window>, at: number): void {
  for (const [key, window] of held) {
    if (window.endsAt > at) return;
    held.delete(key);
  }
}

function forgetOldest(held: Map<string, Window>, most: number): void {
  for (const key of held.keys()) {
    if (held.size <= most) return;
    held.delete(key);
  }
}
