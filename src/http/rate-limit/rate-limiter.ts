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
  /**
   * Takes back what a call was counted, where it cost nothing after all: once, and only in the windows in which it was
   * counted. Answers how its keys stand then. `taken` is what `take` answered.
   */
  giveBack(taken: RateLimitResult): RateLimitResult;
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

interface Counted<Name extends string> {
  readonly policy: Name;
  readonly windows: ReadonlyMap<string, Window>;
}

export function createRateLimiter<Name extends string>(options: RateLimiterOptions<Name>): RateLimiter<Name> {
  const { policies, now, maxWindows = 50_000 } = options;
  // One map for each policy: its windows are equally long, so they stand in the order in which they end.
  const windows = new Map<Name, Map<string, Window>>();
  const takings = new WeakMap<RateLimitResult, Counted<Name>>();

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

    const counted = new Map<string, Window>();
    for (const key of keys) counted.set(key, current(held.get(key), fresh, at) ?? { ...fresh });
    const tightest = tightestOf(counted.values()) ?? fresh;
    const allowed = tightest.count < quota;
    const remaining = allowed ? quota - tightest.count - 1 : 0;
    if (allowed && counts) {
      for (const [key, window] of counted) {
        window.count += 1;
        if (held.get(key) === window) continue;
        held.delete(key);
        held.set(key, window);
      }
      forgetOldest(held, maxWindows);
    }
    const result = { allowed, ...standing(name, tightest, at), remaining };
    if (allowed && counts) takings.set(result, { policy: name, windows: counted });
    return result;
  }

  function standing(name: Name, { count, endsAt }: Window, at: number) {
    const { quota, windowSeconds } = policies[name];
    return {
      policy: name,
      limit: quota,
      windowSeconds,
      remaining: Math.max(0, quota - count),
      resetSeconds: Math.max(0, Math.ceil((endsAt - at) / 1_000)),
      resetAt: Math.ceil(endsAt / 1_000),
    };
  }

  function giveBack(taken: RateLimitResult): RateLimitResult {
    const counted = takings.get(taken);
    if (counted === undefined) return taken;
    takings.delete(taken);
    const held = windowsOf(counted.policy);
    for (const [key, window] of counted.windows) {
      // One that ended or was forgotten since then changes nothing any more.
      window.count -= 1;
      if (window.count === 0 && held.get(key) === window) held.delete(key);
    }
    const tightest = tightestOf(counted.windows.values());
    if (tightest === undefined) return taken;
    return { allowed: true, ...standing(counted.policy, tightest, now()) };
  }

  return {
    take: (name, keys) => judge(name, keys, true),
    giveBack,
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

function tightestOf(windows: Iterable<Window>): Window | undefined {
  let tightest: Window | undefined;
  for (const window of windows) if (!tightest || isTighter(window, tightest)) tightest = window;
  return tightest;
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
