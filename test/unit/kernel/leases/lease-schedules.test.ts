// Whatever happens to the processes that contend for a role, and in whichever order: no two of them act at once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';
import { type Contender, createLeaseWorld, type Fate, TTL, WELL, type World } from './lease-world.ts';

const CONTENDERS = ['one', 'two', 'three'];
const some = { who: fc.constantFrom(...CONTENDERS), after: fc.integer({ min: 0, max: TTL }) };
const stretch = fc.integer({ min: 1, max: 3 * TTL });

/** How the way to the store is from then on. */
const way = fc.record({
  there: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 2 * TTL })),
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: TTL })),
  lost: fc.array(fc.constantFrom('call' as const, 'answer' as const, undefined), {
    minLength: 1,
    maxLength: 5,
  }),
});

/** A suspended machine may be woken by a clock that is right, so one whose wall clock is set is not suspended as well. */
const trouble = fc.oneof(
  fc.record({
    what: fc.constant('stopped' as const),
    ...some,
    stretch,
    first: fc.constantFrom('before' as const, 'after' as const),
  }),
  fc.record({
    what: fc.constant('suspended' as const),
    who: fc.constant('one'),
    after: some.after,
    stretch,
    first: fc.constantFrom('before' as const, 'after' as const),
  }),
  fc.record({ what: fc.constant('way' as const), ...some, way }),
  fc.record({ what: fc.constant('mended' as const), ...some }),
  fc.record({
    what: fc.constant('clock set' as const),
    who: fc.constantFrom('two', 'three'),
    after: some.after,
    by: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  }),
);
type Trouble = typeof trouble extends fc.Arbitrary<infer Value> ? Value : never;

const rate = fc.oneof(fc.constantFrom(0.9, 1, 1.1), fc.double({ min: 0.9, max: 1.1, noNaN: true }));
const stopping = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: TTL }));

/** One fate after another, over and over. */
function fatesOf({
  there,
  back,
  lost,
}: {
  readonly there: number;
  readonly back: number;
  readonly lost: readonly Fate['lost'][];
}): () => Fate {
  let call = 0;
  return () => {
    const loss = lost[call++ % lost.length];
    return loss === undefined ? { there, back } : { there, back, lost: loss };
  };
}

function befall(contender: Contender, one: Trouble): void {
  switch (one.what) {
    case 'stopped':
    case 'suspended':
      contender.freeze(one.stretch, one.what, one.first);
      break;
    case 'way':
      contender.fate = fatesOf(one.way);
      break;
    case 'mended':
      contender.fate = () => WELL;
      break;
    case 'clock set':
      contender.setWallClock(one.by);
      break;
  }
}

/** By true time, every term's acts come after those of the terms before it, and are of one process. */
function requireOneAtATime({ acts }: World): void {
  const actors = new Map<number, string>();
  let latest = 0;
  for (const act of acts) {
    if (act.term < latest)
      throw new Error(`at ${act.at}, ${act.by} acts in term ${act.term}, after one of ${latest}`);
    latest = act.term;
    const actor = actors.get(act.term) ?? act.by;
    if (actor !== act.by) throw new Error(`at ${act.at}, ${act.by} acts in the term ${act.term} of ${actor}`);
    actors.set(act.term, actor);
  }
}

let leases = 0;

async function live(
  store: EventStore,
  rates: readonly number[],
  stops: readonly number[],
  troubles: readonly Trouble[],
): Promise<void> {
  leases += 1;
  const world = createLeaseWorld(store, `role-${leases}`);
  const contenders = new Map(
    CONTENDERS.map((name, index) => [
      name,
      world.contender(name, { rate: rates[index] ?? 1, stopping: stops[index] ?? 0 }),
    ]),
  );
  for (const one of troubles) {
    await world.pass(one.after);
    const contender = contenders.get(one.who);
    if (contender !== undefined) befall(contender, one);
  }
  requireOneAtATime(world);
  // Once all is well again, one of them holds it, and goes on to.
  for (const contender of contenders.values()) contender.fate = () => WELL;
  await world.pass(12 * TTL);
  const holders = world.holders();
  expect(holders).toHaveLength(1);
  await world.pass(2 * TTL);
  expect(world.holders()).toEqual(holders);
  // Everyone who goes hands it over.
  for (const contender of contenders.values()) await world.until(contender.keeper.stop());
  requireOneAtATime(world);
  expect((await world.events()).at(-1)?.type).toBe('LeaseReleased');
}

test('clocks that differ by a fifth, pauses, lost calls and lost answers never make two holders, and at last one', async () => {
  const store = await temporaryEventStore();
  await fc.assert(
    fc.asyncProperty(
      fc.array(rate, { minLength: 3, maxLength: 3 }),
      fc.array(stopping, { minLength: 3, maxLength: 3 }),
      fc.array(trouble, { maxLength: 25 }),
      (rates, stops, troubles) => live(store, rates, stops, troubles),
    ),
    { numRuns: 30 },
  );
});
