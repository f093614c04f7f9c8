/**
 * Counts calls in fixed windows, in this process: limits reset on restart, and each instance counts for itself. rate-limiter-flexible
 * 11.4.0 does not replace it: a refund after the window ended gives an extra call, two keys cannot be counted together or not at all, and
 * a call took 2.3 to 3.4 times as long in runs of 300,000.
 */
import type { CountedKey } from '../../../kernel/runtime/places.ts';
import type { RateLimitPolicy } from './policies.ts';

export interface RateLimitResult {
  allowed: boolean;
  policy: string;
  /** Calls allowed in a window, for the key that has the fewest left. */
  limit: number;
  windowSeconds: number;
  /** Calls left for the key that has the fewest. */
  remaining: number;
  /** Seconds, rounded up, until that window ends. */
  resetSeconds: number;
  /** Unix seconds, rounded up, at which that window ends. */
  resetAt: number;
}

export interface RateLimiter<Name extends string> {
  /**
   * Counts one call under each key (at least one) and answers for the key with the fewest calls left. Refused calls do not count, so
   * that a caller who keeps trying is admitted when the window ends, and one key's refusal does not use up another's quota.
   */
  take(policy: Name, keys: readonly CountedKey[]): RateLimitResult;
  /**
   * Refunds a call: once, and only in the windows in which it was counted. A window refunds as many calls as its quota, so
   * that repeating a call is bounded too. Returns the state of its keys afterwards. `taken` is what `take` returned.
   */
  giveBack(taken: RateLimitResult): RateLimitResult;
  /** What `take` would answer, without counting. */
  peek(policy: Name, keys: readonly CountedKey[]): RateLimitResult;
  /** Number of windows in memory. */
  readonly size: number;
}

export interface RateLimiterOptions<Name extends string> {
  policies: Readonly<Record<Name, RateLimitPolicy>>;
  /** Unix milliseconds. */
  now: () => number;
  /** Windows kept per policy. Beyond it, the oldest are dropped, which resets their limits; refusing calls would let a flood lock everybody out. */
  maxWindows?: number;
}

interface Window {
  readonly key: string;
  readonly quota: number;
  count: number;
  refunds: number;
  readonly endsAt: number;
}

/** Remembers the windows in which its call was counted, until it is refunded. */
class Answer implements RateLimitResult {
  readonly allowed: boolean;
  readonly policy: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly resetAt: number;
  #counted: readonly Window[] | undefined;

  /** `left` is negative for a refused call. */
  constructor(
    name: string,
    windowSeconds: number,
    found: { readonly tightest: Window; readonly at: number; readonly left: number },
    counted?: readonly Window[],
  ) {
    const { endsAt, quota } = found.tightest;
    this.allowed = found.left >= 0;
    this.policy = name;
    this.limit = quota;
    this.windowSeconds = windowSeconds;
    this.remaining = Math.max(0, found.left);
    this.resetSeconds = Math.max(0, Math.ceil((endsAt - found.at) / 1_000));
    this.resetAt = Math.ceil(endsAt / 1_000);
    this.#counted = counted;
  }

  /** Gives the windows once, and only for results of this class. */
  static takeBack(answer: RateLimitResult): readonly Window[] | undefined {
    if (!(answer instanceof Answer)) return undefined;
    const counted = answer.#counted;
    answer.#counted = undefined;
    return counted;
  }
}

export function createRateLimiter<Name extends string>(options: RateLimiterOptions<Name>): RateLimiter<Name> {
  const { policies, now, maxWindows = 50_000 } = options;
  // One map per policy: its windows are equally long, so they are in the order in which they end.
  const windows = new Map<string, Map<string, Window>>();

  function windowsOf(name: string): Map<string, Window> {
    let held = windows.get(name);
    if (!held) {
      held = new Map();
      windows.set(name, held);
    }
    return held;
  }

  function judge(name: Name, keys: readonly CountedKey[], counts: boolean): RateLimitResult {
    const { quota, windowSeconds } = policies[name];
    const at = now();
    const end = at + windowSeconds * 1_000;
    const held = windowsOf(name);
    forgetEnded(held, at);

    const found: Window[] = [];
    for (const { name: key, times } of keys) {
      if (found.some((window) => window.key === key)) continue;
      const fresh = { key, quota: quota * times, count: 0, refunds: 0, endsAt: end };
      found.push(current(held.get(key), at, end) ?? fresh);
    }
    const tightest = tightestOf(found);
    const left = leftIn(tightest) - 1;
    if (left < 0 || !counts) return new Answer(name, windowSeconds, { tightest, at, left });
    for (const window of found) {
      window.count += 1;
      if (held.get(window.key) === window) continue;
      // Deleted first, so that the map stays in the order in which windows end.
      held.delete(window.key);
      held.set(window.key, window);
    }
    forgetOldest(held, maxWindows);
    return new Answer(name, windowSeconds, { tightest, at, left }, found);
  }

  function giveBack(taken: RateLimitResult): RateLimitResult {
    const counted = Answer.takeBack(taken);
    if (counted === undefined || counted.some(({ refunds, quota }) => refunds >= quota)) return taken;
    for (const window of counted) {
      // A window that has ended or was dropped has no effect. One without calls stays, because of its refunds.
      window.count -= 1;
      window.refunds += 1;
    }
    const tightest = tightestOf(counted);
    return new Answer(taken.policy, taken.windowSeconds, { tightest, at: now(), left: leftIn(tightest) });
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

/** The window if it is running. A window that ends later than a fresh one would is from before the clock was set back. */
function current(window: Window | undefined, at: number, freshEnd: number): Window | undefined {
  return window && window.endsAt > at && window.endsAt <= freshEnd ? window : undefined;
}

function tightestOf([first, ...others]: readonly Window[]): Window {
  if (first === undefined) throw new RangeError('a call must be counted under at least one key');
  return others.reduce((tightest, window) => (isTighter(window, tightest) ? window : tightest), first);
}

function leftIn({ quota, count }: Window): number {
  return quota - count;
}

/** When two windows have equally much left, the one that ends later decides when calls are free again. */
function isTighter(one: Window, other: Window): boolean {
  const difference = leftIn(one) - leftIn(other);
  return difference < 0 || (difference === 0 && one.endsAt > other.endsAt);
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
