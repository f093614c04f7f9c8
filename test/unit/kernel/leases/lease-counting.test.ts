// How a lease is counted: by its holder, who must stop in time, and by a contender, who must not begin too early.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LeaseClock, LeaseLost } from '../../../../src/kernel/ports/lease.ts';
import { createTakeover, createTerm } from '../../../../src/kernel/runtime/lease.ts';

const TTL = 15_000;

/** Both clocks, to be moved by hand. */
function handClock() {
  const at = { monotonic: 500, wall: 1_800_000_000_000 };
  const clock: LeaseClock = {
    monotonic: () => at.monotonic,
    wall: () => at.wall,
    pause: async () => {},
  };
  const pass = (milliseconds: number) => {
    at.monotonic += milliseconds;
    at.wall += milliseconds;
  };
  return { at, clock, pass };
}

function begin() {
  const { at, clock, pass } = handClock();
  const sent = { ...at };
  return { at, pass, term: createTerm({ name: 'settler', number: 1, ttl: TTL, sent, clock }) };
}

describe('a term', () => {
  test('is held for less than its ttl, from when it was sent on', () => {
    const { term, pass } = begin();
    pass(TTL - 1);
    expect([term.isHeld(), term.remaining()]).toEqual([true, 1]);
    pass(1);
    expect([term.isHeld(), term.remaining()]).toEqual([false, 0]);
  });

  test('is held for longer when it was renewed, counted from the sending', () => {
    const { term, at, pass } = begin();
    pass(5_000);
    const sent = { ...at };
    pass(9_000);
    term.renew(sent);
    expect(term.remaining()).toBe(6_000);
    pass(6_000);
    expect(term.isHeld()).toBe(false);
  });

  test.each([
    'monotonic',
    'wall',
  ] as const)('is over when the %s clock says so, whatever the other one says', (which) => {
    const { term, at } = begin();
    at[which] += TTL;
    at[which === 'wall' ? 'monotonic' : 'wall'] -= 1_000;
    expect(term.isHeld()).toBe(false);
  });

  test('that was found over stays over, and says why', () => {
    const { term, at } = begin();
    const before = at.wall;
    at.wall += TTL;
    expect(term.isHeld()).toBe(false);
    at.wall = before;
    term.renew({ ...at });
    expect(term.isHeld()).toBe(false);
    expect(term.signal.reason).toBeInstanceOf(LeaseLost);
    expect(term.over.aborted).toBe(true);
  });

  test('that is given up asks its work to end, and is held until it has', () => {
    const { term } = begin();
    term.giveUp();
    expect([term.signal.aborted, term.over.aborted, term.isHeld()]).toEqual([true, false, true]);
    term.end();
    expect([term.over.aborted, term.isHeld()]).toEqual([true, false]);
  });
});

describe('a contender', () => {
  const tailOf = (
    eventId: string,
    change: { readonly holder?: string; readonly isReleased?: boolean } = {},
  ) => ({
    eventId,
    revision: 0,
    state: { name: 'settler', holder: 'other', label: '', term: 1, ttl: TTL, isReleased: false, ...change },
  });

  test('takes what nobody holds, what was released, and what is its own', () => {
    const takeover = createTakeover('self', handClock().clock);
    expect(takeover(undefined)).toBe(true);
    expect(takeover(tailOf('a', { isReleased: true }))).toBe(true);
    expect(takeover(tailOf('a', { holder: 'self' }))).toBe(true);
    expect(takeover(tailOf('a'))).toBe(false);
  });

  test('waits for a quarter more than the ttl of the holder, anew for each event', () => {
    const { clock, at } = handClock();
    const takeover = createTakeover('self', clock);
    expect(takeover(tailOf('a'))).toBe(false);
    at.monotonic += 1.25 * TTL;
    expect(takeover(tailOf('a'))).toBe(false);
    expect(takeover(tailOf('b'))).toBe(false);
    at.monotonic += 1.25 * TTL + 1;
    expect(takeover(tailOf('b'))).toBe(true);
  });

  test('does not look at the wall clock', () => {
    const { clock, at } = handClock();
    const takeover = createTakeover('self', clock);
    takeover(tailOf('a'));
    at.wall += 10 * TTL;
    expect(takeover(tailOf('a'))).toBe(false);
  });

  test('never finds it due while its holder counts on it, where no clock is wrong by more than a tenth', () => {
    const rate = fc.double({ min: 0.9, max: 1.1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.integer({ min: 0, max: 2 * TTL }), (slow, fast, passed) => {
        const [holders, contenders] = [handClock(), handClock()];
        const term = createTerm({
          name: 'settler',
          number: 1,
          ttl: TTL,
          sent: { ...holders.at },
          clock: holders.clock,
        });
        const takeover = createTakeover('self', contenders.clock);
        takeover(tailOf('a'));
        holders.pass(passed * slow);
        contenders.pass(passed * fast);
        expect([takeover(tailOf('a')), term.isHeld()]).not.toEqual([true, true]);
      }),
      { examples: [[0.9, 1.1, Math.floor((1.25 * TTL) / 1.1) + 1]] },
    );
  });
});
