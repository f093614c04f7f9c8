/** The limiter: what it counts, what it answers, and that its memory is bounded. */
import { describe, expect, test } from 'vitest';
import { rateLimitHeaders } from '../../../../../src/server/http/rate-limit/rate-limit-headers.ts';
import { createRateLimiter } from '../../../../../src/server/http/rate-limit/rate-limiter.ts';

const START = 1_772_366_400_000;
const policies = {
  few: { quota: 3, windowSeconds: 60, countedBy: 'wallet-and-ip' },
  other: { quota: 1, windowSeconds: 10, countedBy: 'ip' },
} as const;

function limiter(maxWindows?: number) {
  const clock = { now: START };
  const limits = createRateLimiter({ policies, now: () => clock.now, ...(maxWindows && { maxWindows }) });
  return { limits, clock };
}

describe('the limiter', () => {
  test('allows the quota and no more until the window ends', () => {
    const { limits, clock } = limiter();
    const answers = [1, 2, 3, 4].map(() => limits.take('few', ['a']));
    expect(answers.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    clock.now += 59_999;
    expect(limits.take('few', ['a'])).toMatchObject({ allowed: false, resetSeconds: 1 });
    clock.now += 1;
    expect(limits.take('few', ['a'])).toMatchObject({ allowed: true, remaining: 2, resetSeconds: 60 });
  });

  test('starts a window with its first call and not with the clock', () => {
    const { limits, clock } = limiter();
    limits.take('few', ['a']);
    clock.now += 30_500;
    expect(limits.take('few', ['a'])).toEqual({
      allowed: true,
      policy: 'few',
      limit: 3,
      windowSeconds: 60,
      remaining: 1,
      resetSeconds: 30,
      resetAt: START / 1_000 + 60,
    });
  });

  test('tells how it stands without counting', () => {
    const { limits } = limiter();
    expect(limits.peek('few', ['a'])).toMatchObject({ allowed: true, remaining: 2 });
    for (let i = 0; i < 3; i += 1) {
      expect(limits.peek('few', ['a']).allowed).toBe(true);
      limits.take('few', ['a']);
    }
    expect(limits.peek('few', ['a'])).toEqual(limits.take('few', ['a']));
    expect(limits.peek('few', ['b']).allowed).toBe(true);
    expect(limits.size).toBe(1);
  });

  test('counts each key and each policy for itself', () => {
    const { limits } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', ['a']);
    expect(limits.take('few', ['a']).allowed).toBe(false);
    expect(limits.take('few', ['b']).allowed).toBe(true);
    expect(limits.take('other', ['a']).allowed).toBe(true);
    expect(limits.take('other', ['a']).allowed).toBe(false);
  });

  test('answers for the tightest key, wherever it stands', () => {
    const { limits, clock } = limiter();
    limits.take('few', ['ip']);
    limits.take('few', ['ip']);
    clock.now += 20_000;
    expect(limits.take('few', ['wallet', 'ip'])).toMatchObject({
      allowed: true,
      remaining: 0,
      resetSeconds: 40,
    });
    expect(limits.take('few', ['ip', 'another wallet'])).toMatchObject({ allowed: false, resetSeconds: 40 });
    expect(limits.take('few', ['wallet', 'another ip'])).toMatchObject({
      allowed: true,
      remaining: 1,
      resetSeconds: 60,
    });
  });

  test('when two keys are used up, answers when both are free again', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', ['a']);
    clock.now += 10_000;
    for (let i = 0; i < 3; i += 1) limits.take('few', ['b']);
    for (const keys of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      expect(limits.take('few', keys)).toMatchObject({ allowed: false, resetSeconds: 60 });
    }
  });

  test('counts a refused call under no key', () => {
    const { limits } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', ['ip']);
    for (let i = 0; i < 10; i += 1) expect(limits.take('few', ['wallet', 'ip']).allowed).toBe(false);
    expect(limits.take('few', ['wallet'])).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('counts a key that is given twice once', () => {
    const { limits } = limiter();
    expect(limits.take('few', ['a', 'a'])).toMatchObject({ remaining: 2 });
    expect(limits.take('few', ['a', 'a'])).toMatchObject({ remaining: 1 });
    expect(limits.size).toBe(1);
  });

  test('refuses to count a call under nothing', () => {
    expect(() => limiter().limits.take('few', [])).toThrow(RangeError);
  });

  test('takes back what a call was counted, under all its keys, and answers how they stand then', () => {
    const { limits } = limiter();
    limits.take('few', ['ip']);
    const taken = limits.take('few', ['wallet', 'ip']);
    expect(taken).toMatchObject({ allowed: true, remaining: 1 });
    expect(limits.giveBack(taken)).toMatchObject({ allowed: true, policy: 'few', limit: 3, remaining: 2 });
    expect(limits.take('few', ['ip'])).toMatchObject({ remaining: 1 });
    expect(limits.take('few', ['wallet'])).toMatchObject({ remaining: 2 });
  });

  test('lets a caller whose calls are all taken back call for ever, but not more at once than the quota', () => {
    const { limits } = limiter();
    for (let round = 0; round < 10; round += 1) {
      const taken = [1, 2, 3].map(() => limits.take('few', ['a']));
      expect(limits.take('few', ['a']).allowed).toBe(false);
      for (const each of taken) limits.giveBack(each);
    }
    expect(limits.size).toBe(0);
  });

  test('takes a call back once, and nothing for one that was refused', () => {
    const { limits } = limiter();
    const [first] = [1, 2, 3].map(() => limits.take('few', ['a']));
    const refused = limits.take('few', ['a']);
    expect(limits.giveBack(refused)).toBe(refused);
    expect(limits.take('few', ['a']).allowed).toBe(false);
    for (let times = 0; times < 3; times += 1) if (first) limits.giveBack(first);
    expect(limits.take('few', ['a'])).toMatchObject({ allowed: true, remaining: 0 });
    expect(limits.take('few', ['a']).allowed).toBe(false);
  });

  test('takes nothing back in a window in which the call was not counted', () => {
    const { limits, clock } = limiter();
    const taken = limits.take('few', ['a']);
    clock.now += 60_000;
    limits.take('few', ['a']);
    expect(limits.giveBack(taken)).toMatchObject({ resetSeconds: 0 });
    expect(limits.take('few', ['a'])).toMatchObject({ remaining: 1 });
  });

  test('drops windows that ended', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 1_000; i += 1) limits.take('few', [`key ${i}`]);
    expect(limits.size).toBe(1_000);
    clock.now += 60_000;
    limits.take('few', ['new']);
    expect(limits.size).toBe(1);
  });

  test('never holds more windows than allowed, and forgets the oldest first', () => {
    const { limits } = limiter(10);
    for (let i = 0; i < 100; i += 1) limits.take('few', [`key ${i}`]);
    expect(limits.size).toBe(10);
    expect(limits.take('few', ['key 99'])).toMatchObject({ remaining: 1 });
    expect(limits.take('few', ['key 0'])).toMatchObject({ remaining: 2 });
  });

  test('a clock that is set back locks nobody out for longer than a window', () => {
    const { limits, clock } = limiter();
    for (let i = 0; i < 3; i += 1) limits.take('few', ['a']);
    clock.now -= 86_400_000;
    expect(limits.take('few', ['a'])).toMatchObject({ allowed: true, resetSeconds: 60 });
    clock.now += 60_000;
    expect(limits.take('few', ['b']).allowed).toBe(true);
    expect(limits.take('few', ['a'])).toMatchObject({ allowed: true, remaining: 2 });
  });
});

describe('the headers', () => {
  test('say limit, rest and reset in the IETF form and in the older one', () => {
    const { limits } = limiter();
    expect(rateLimitHeaders(limits.take('few', ['a']))).toEqual({
      'ratelimit-policy': '"few";q=3;w=60',
      ratelimit: '"few";r=2;t=60',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': String(START / 1_000 + 60),
    });
  });

  test('say when to come back once a call is refused', () => {
    const { limits, clock } = limiter();
    limits.take('other', ['a']);
    clock.now += 3_200;
    expect(rateLimitHeaders(limits.take('other', ['a']))).toMatchObject({
      ratelimit: '"other";r=0;t=7',
      'x-ratelimit-remaining': '0',
      'retry-after': '7',
    });
  });
});
