// One process at a time holds a role, whatever becomes of processes, clocks, and the way to the store.
import { describe, expect, test } from 'vitest';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { LeaseTaken } from '../../../../src/kernel/runtime/lease.ts';
import { deferred } from '../../../support/deferred.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';
import { createLeaseWorld, type Fate, TTL, WELL, type World } from './lease-world.ts';

const newWorld = async () => createLeaseWorld(await temporaryEventStore(), 'settler');

async function held() {
  const world = await newWorld();
  const one = world.contender('one');
  await world.pass(10);
  return { world, one };
}

/** One holds it, and another one would. */
async function contended() {
  const { world, one } = await held();
  const two = world.contender('two');
  await world.pass(TTL);
  return { world, one, two };
}

const DOWN: Fate = { there: 1, back: 1, lost: 'call' };
/** Nobody ever answers. */
const SILENT: Fate = { there: 1_000_000, back: 1, lost: 'call' };

/** Between two looks of a contender. */
const LOOK = TTL / 4;
const TAKEOVER = 1.25 * TTL;

async function types(world: World): Promise<readonly string[]> {
  return (await world.events()).map(({ type }) => type);
}

describe('a lease', () => {
  test('is taken at once by whoever comes first, and by nobody else', async () => {
    const { world, one } = await held();
    const two = world.contender('two');
    await world.pass(20 * TTL);
    expect(world.holders()).toEqual(['one']);
    expect(one.terms.map(({ number }) => number)).toEqual([1]);
    expect(two.terms).toEqual([]);
    expect(one.keeper.status()).toMatchObject({ state: 'held', term: 1, holder: { label: 'one' } });
    expect(two.keeper.status()).toMatchObject({ state: 'waiting', term: 1, holder: { label: 'one' } });
    expect(two.keeper.status().error).toBeUndefined();
  });

  test('is renewed three times within its ttl, each time by an event that says all', async () => {
    const world = await newWorld();
    world.contender('one');
    await world.pass(TTL + LOOK);
    const events = await world.events();
    expect(events.map(({ type }) => type)).toEqual([
      'LeaseTaken',
      'LeaseRenewed',
      'LeaseRenewed',
      'LeaseRenewed',
    ]);
    for (const { data } of events) expect(data).toEqual(events[0]?.data);
    const tenure = { name: 'settler', holder: deriveId('test', 'one'), label: 'one', term: 1, ttl: TTL };
    expect(events[0]).toMatchObject(LeaseTaken(tenure));
    expect(events[0]?.metadata).toMatchObject({ actor: 'service:lease' });
  });

  test('that was released has no holder, for those who cannot take it either', async () => {
    const { world, one } = await held();
    const two = world.contender('two', { fate: (call) => (call === 'append' ? DOWN : WELL) });
    await world.until(one.keeper.stop());
    await world.pass(2 * LOOK);
    expect(two.keeper.status()).toMatchObject({ state: 'waiting', holder: undefined, term: undefined });
  });

  test('that a contender failed to take is read again: a call that succeeds shows that the failure is over', async () => {
    const { world, one } = await held();
    const two = world.contender('two', {
      fate: (call) => (call === 'append' ? DOWN : WELL),
    });
    await world.pass(2 * TTL);
    one.freeze(1_000_000, 'stopped');
    await world.pass(2 * TAKEOVER);
    expect(two.keeper.status().error).toBeDefined();
    world.contender('three');
    await world.pass(2 * TAKEOVER);
    expect(world.holders()).toEqual(['three']);
    expect(two.keeper.status()).toMatchObject({ error: undefined, holder: { label: 'three' } });
  });

  test('of a holder that is gone is taken over when its last event has been seen for long enough, not before', async () => {
    const { world, one, two } = await contended();
    const last = (await world.events()).length;
    one.freeze(1_000_000, 'stopped');
    await world.pass(TAKEOVER - LOOK - 10);
    expect(await world.events()).toHaveLength(last);
    expect(two.terms).toEqual([]);
    await world.pass(2 * LOOK + 20);
    expect(world.holders()).toEqual(['two']);
    expect(two.terms.map(({ number }) => number)).toEqual([2]);
  });

  test('that was released is taken at the next look, after its work has stopped', async () => {
    const world = await newWorld();
    const one = world.contender('one', { stopping: 2 * TTL });
    await world.pass(10);
    world.contender('two');
    await world.pass(TTL);
    const stopping = one.keeper.stop();
    await world.pass(TTL);
    expect(one.keeper.status().state).toBe('stopping');
    expect(one.terms[0]?.signal.aborted).toBe(true);
    // What is still under way may be finished: the lease is renewed until then.
    expect(world.holders()).toEqual(['one']);
    await world.until(stopping);
    expect((await types(world)).at(-1)).toBe('LeaseReleased');
    expect([one.keeper.status().state, one.keeper.status().holder]).toEqual(['stopped', undefined]);
    expect(one.reports).toEqual(['lease taken', 'lease released']);
    expect(world.holders()).toEqual([]);
    await world.pass(LOOK + 10);
    expect(world.holders()).toEqual(['two']);
  });

  test('keeps its stream short', async () => {
    const world = await newWorld();
    world.contender('one');
    await world.pass(20 * TTL);
    const events = await world.events();
    expect(events.length).toBeLessThanOrEqual(20);
    expect(events.at(-1)?.revision).toBeGreaterThan(50);
  });
});

async function cannotStart(): Promise<never> {
  throw new Error('the chain does not answer');
}

describe('a holder', () => {
  test('repeats a renewal identically until it knows what became of it', async () => {
    const { world, one } = await held();
    const fates: Fate[] = [
      { ...WELL, lost: 'answer' },
      { ...WELL, lost: 'call' },
    ];
    one.fate = (call) => (call === 'append' && fates.shift()) || WELL;
    await world.pass(TTL / 3 + 200);
    expect(fates).toEqual([]);
    expect(await types(world)).toEqual(['LeaseTaken', 'LeaseRenewed']);
    await world.pass(3 * TTL);
    expect(one.terms).toHaveLength(1);
    expect(one.reports).toEqual(['lease taken', 'lease failed, retrying', 'lease recovered']);
  });

  test('counts from the first try of a renewal, since that may be the one which others have seen', async () => {
    const { world, one } = await held();
    world.contender('two');
    const atFirst = (await world.events()).length;
    // Each renewal is recorded by its first try; the last answer comes by a later one.
    let tries = 0;
    one.fate = (call) => {
      if (call !== 'append') return WELL;
      tries += 1;
      if (tries === 1) return { ...WELL, lost: 'answer' };
      if (tries === 2) return { there: TTL / 4, back: 1 };
      return SILENT;
    };
    await world.pass(TTL / 3 + TTL / 2);
    expect(await world.events()).toHaveLength(atFirst + 1);
    const recorded = world.now() - TTL / 2;
    await world.pass(4 * TTL);
    const lastAct = world.acts.findLast(({ by }) => by === 'one')?.at ?? 0;
    expect(lastAct).toBeLessThan(recorded + TTL + 1);
    expect(world.acts.find(({ by }) => by === 'two')?.at).toBeGreaterThan(lastAct);
  });

  test('that cannot start its work lets the others try', async () => {
    const world = await newWorld();
    const one = world.contender('one', { beforeStart: cannotStart });
    await world.pass(10);
    expect(one.keeper.status()).toMatchObject({ holder: undefined, error: 'the chain does not answer' });
    world.contender('two');
    await world.pass(2 * LOOK);
    expect(world.holders()).toEqual(['two']);
    expect(await types(world)).toEqual(['LeaseTaken', 'LeaseReleased', 'LeaseTaken', 'LeaseRenewed']);
    // The other does the work now.
    await world.pass(2 * TTL);
    expect(one.keeper.status()).toMatchObject({ holder: { label: 'two' }, error: undefined });
    expect(one.reports).not.toContain('work recovered');
  });

  test('that can neither begin its work nor reach the store says what keeps it from working', async () => {
    const world = await newWorld();
    const one = world.contender('one', { beforeStart: cannotStart });
    await world.pass(10);
    one.fate = () => DOWN;
    await world.pass(3 * TTL);
    expect(one.keeper.status().error).toBe('the chain does not answer');
    expect(one.reports).toContain('lease failed, retrying');
  });

  test('that is stopped while the store fails releases nothing, and does not wait for it', async () => {
    const world = await newWorld();
    const one = world.contender('one');
    await world.pass(TTL);
    let calls = 0;
    one.fate = () => {
      calls += 1;
      return DOWN;
    };
    await world.pass(TTL / 2);
    const before = calls;
    expect(before).toBeGreaterThan(0);
    await world.until(one.keeper.stop());
    expect(calls).toBe(before);
    expect(await types(world)).not.toContain('LeaseReleased');
  });

  test('whose work ends by itself gives the role to another at the next look', async () => {
    const world = await newWorld();
    const { promise: ended, resolve: end } = deferred();
    const one = world.contender('one', { ended: ({ number }) => (number === 1 ? ended : undefined) });
    await world.pass(10);
    const two = world.contender('two');
    await world.pass(3 * TTL);
    expect(world.holders()).toEqual(['one']);
    end();
    await world.pass(LOOK + 20);
    expect(world.holders()).toEqual(['two']);
    expect(one.reports).toContain('work ended, releasing the role');
    expect(one.terms[0]?.isHeld()).toBe(false);
    expect(two.terms.map(({ number }) => number)).toEqual([2]);
  });

  test('whose work ends by itself takes the role again if nobody else does', async () => {
    const world = await newWorld();
    const one = world.contender('one', {
      ended: ({ number }) => (number < 3 ? Promise.resolve() : undefined),
    });
    await world.pass(5 * TTL);
    expect(one.terms.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(world.holders()).toEqual(['one']);
  });

  test('that is stopped before its work has begun releases the lease', async () => {
    const world = await newWorld();
    const one = world.contender('one', { fate: () => ({ there: 20, back: 20 }) });
    await world.pass(70);
    await world.until(one.keeper.stop());
    expect(one.terms).toEqual([]);
    expect(await types(world)).toEqual(['LeaseTaken', 'LeaseReleased']);
  });
});

describe('a store that does not answer', () => {
  test('does not keep a process from ending', async () => {
    const world = await newWorld();
    const one = world.contender('one');
    const two = world.contender('two');
    await world.pass(TTL);
    for (const each of [one, two]) each.fate = () => SILENT;
    const began = world.now();
    await world.until(Promise.all([one.keeper.stop(), two.keeper.stop()]));
    expect(world.now() - began).toBeLessThan(2 * TTL);
    expect(world.holders()).toEqual([]);
  });
});

describe('a wall clock', () => {
  test('that is set forward makes its holder stop, and take the lease anew', async () => {
    const { world, one, two } = await contended();
    one.setWallClock(3_600_000);
    expect(one.terms[0]?.isHeld()).toBe(false);
    one.setWallClock(-3_600_000);
    expect(one.terms[0]?.isHeld(), 'what was found over stays over').toBe(false);
    await world.pass(TTL);
    expect([one.terms.length, two.terms.length]).toEqual([2, 0]);
    expect(one.reports).toEqual(['lease taken', 'lease lost', 'lease taken']);
    expect(world.holders()).toEqual(['one']);
  });

  test('that is set back does not make its holder count on the lease for longer', async () => {
    const world = await newWorld();
    const one = world.contender('one');
    await world.pass(TTL);
    one.setWallClock(-3_600_000);
    one.fate = () => DOWN;
    await world.pass(TTL + 10);
    expect(world.holders()).toEqual([]);
  });

  test('of a contender does not count: it takes over no sooner and no later', async () => {
    const takeovers: number[] = [];
    for (const by of [0, 3_600_000, -3_600_000]) {
      const { world, one, two } = await contended();
      one.freeze(1_000_000, 'stopped');
      two.setWallClock(by);
      await world.pass(3 * TTL);
      takeovers.push(world.acts.find((act) => act.by === 'two')?.at ?? 0);
    }
    expect(new Set(takeovers).size).toBe(1);
    expect(takeovers[0]).toBeGreaterThan(TTL);
  });
});

test('the first lease of a log is taken once the log has begun with something else', async () => {
  const world = await newWorld();
  let isBegun = false;
  world.contender('one', { mayStart: async () => isBegun });
  await world.pass(3 * TTL);
  expect(await world.events()).toEqual([]);
  isBegun = true;
  await world.pass(LOOK + 10);
  expect(world.holders()).toEqual(['one']);
});
