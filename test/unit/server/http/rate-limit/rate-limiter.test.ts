/** The limiter: what it counts, what it answers, and that its memory is bounded. */
import { describe, expect, test } from 'vitest';
import type { CountedKey } from '../../../../../src/kernel/runtime/concurrency-limit.ts';
import {
  createRateLimiter,
  rateLimitHeaders,
} from '../../../../../src/server/http/rate-limit/rate-limiter.ts';

const START = 1_772_366_400_000;
const policies = {
  few: { quota: 3, windowSeconds: 60, countedBy: 'wallet-and-ip' },
  other: { quota: 1, windowSeconds: 10, countedBy: 'ip' },
} as const;

const keys = (...names: readonly string[]): readonly CountedKey[] =>
  names.map((name) => ({ name, times: 1 }));

function limiter(maxWindows?: number) {
  const clock = { now: START };
  const limits = createRateLimiter({ policies, now: () => clock.now, ...(maxWindows && { maxWindows }) });
  return { limits, clock };
}

describe('the limiter', () => {
  test('starts a window with its first call and not with the clock', () => {
    const { limits, clock } = limiter();
    limits.take('few', keys('a'));
    clock.now += 30_500;
    expect(limits.take('few', keys('a'))).toEqual({
      allowed: true,
      policy: 'few',
      limit: 3,
      windowSeconds: 60,
      remaining: 1,
      resetSeconds: 30,
      resetAt: START / 1_000 + 60,
    });
  });

  test('answers for the tightest key, wherever it stands', () => {
    const { limits, clock } = limiter();
    limits.take('few', keys('ip'));
    limits.take('few', keys('ip'));
    clock.now += 20_000;
    expect(limits.take('few', keys('wallet', 'ip'))).toMatchObject({
      allowed: true,
      remaining: 0,
      resetSeconds: 40,
    });
    expect(limits.take('few', keys('ip', 'another wallet'))).toMatchObject({
      allowed: false,
      resetSeconds: 40,
    });
    expect(limits.take('few', keys('wallet', 'another ip'))).toMatchObject({
      allowed: true,
      remaining: 1,
      resetSeconds: 60,
    });
  });

  test('when two keys are used up, answers when both are free again', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', keys('a'));
    clock.now += 10_000;
    for (let i = 0; i < 3; i += 1) limits.take('few', keys('b'));
    for (const both of [keys('a', 'b'), keys('b', 'a')]) {
      expect(limits.take('few', both)).toMatchObject({ allowed: false, resetSeconds: 60 });
    }
  });

  test('counts a refused call under no key', () => {
    const { limits } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', keys('ip'));
    for (let i = 0; i < 10; i += 1) expect(limits.take('few', keys('wallet', 'ip')).allowed).toBe(false);
    expect(limits.take('few', keys('wallet'))).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('refuses to count a call under nothing', () => {
    expect(() => limiter().limits.take('few', keys())).toThrow(RangeError);
  });

  test('gives a key as many times the quota as it says, and answers for the one with the fewest left', () => {
    const { limits } = limiter();
    const network = { name: 'network', times: 4 };
    const from = (house: number) => limits.take('few', [{ name: `house ${house}`, times: 1 }, network]);
    expect(from(0)).toMatchObject({ limit: 3, remaining: 2 });
    for (let house = 1; house < 11; house += 1) expect(from(house).allowed).toBe(true);
    expect(from(11)).toMatchObject({ allowed: true, limit: 12, remaining: 0 });
    expect(from(12)).toMatchObject({ allowed: false, limit: 12 });
  });

  test('drops windows that ended', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 1_000; i += 1) limits.take('few', keys(`key ${i}`));
    expect(limits.size).toBe(1_000);
    clock.now += 60_000;
    limits.take('few', keys('new'));
    expect(limits.size).toBe(1);
  });

  test('never holds more windows than allowed, and forgets the oldest first', () => {
    const { limits } = limiter(10);
    for (let i = 0; i < 100; i += 1) limits.take('few', keys(`key ${i}`));
    expect(limits.size).toBe(10);
    expect(limits.take('few', keys('key 99'))).toMatchObject({ remaining: 1 });
    expect(limits.take('few', keys('key 0'))).toMatchObject({ remaining: 2 });
  });

  test('a clock that is set back locks nobody out for longer than a window', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', keys('a'));
    clock.now -= 86_400_000;
    expect(limits.take('few', keys('a'))).toMatchObject({ allowed: true, resetSeconds: 60 });
    clock.now += 60_000;
    expect(limits.take('few', keys('b')).allowed).toBe(true);
    expect(limits.take('few', keys('a'))).toMatchObject({ allowed: true, remaining: 2 });
  });
});

describe('the headers', () => {
  test('say limit, rest and reset in the IETF form and in the older one', () => {
    const { limits } = limiter();
    expect(rateLimitHeaders(limits.take('few', keys('a')))).toEqual({
      'ratelimit-policy': '"few";q=3;w=60',
      ratelimit: '"few";r=2;t=60',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': String(START / 1_000 + 60),
    });
  });
});
