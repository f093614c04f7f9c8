// However the writes of a read model are interrupted, repeating them from the checkpoint gives what SQLite has.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  disturbedRun,
  FAULTS,
  type History,
  historyOf,
  type Run,
  randomFrom,
  undisturbedState,
} from '../../support/interrupted-read-model.ts';
import { createMemoryServer, type Weakness } from '../../support/mongo-in-memory.ts';

describe.each(FAULTS)('at every write: %s', (fault) => {
  test.each([1])('the documents and lists are the same as without (seed %i)', async (seed) => {
    const history = historyOf(randomFrom(seed));
    const expected = await undisturbedState(history);
    const whole = await disturbedRun(history, randomFrom(seed), () => undefined);
    expect(whole.state).toEqual(expected);
    for (let first = 0; first < whole.writes; first += 1) {
      const run = await disturbedRun(history, randomFrom(seed), (write) =>
        write === first ? fault : undefined,
      );
      expect(run.state, `a fault at write ${first}`).toEqual(expected);
    }
  });
});

function manyFaults(seed: number, weakness?: Weakness): Promise<Run> {
  const drawn = randomFrom(seed + 1_000);
  const planned = () => (drawn(6) === 0 ? FAULTS[drawn(FAULTS.length)] : undefined);
  return disturbedRun(historyOf(randomFrom(seed)), randomFrom(seed), planned, createMemoryServer(weakness));
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('nor do many faults of any kind (seed %i)', async (seed) => {
  const run = await manyFaults(seed);
  expect(run.faults).toBeGreaterThan(0);
  expect(run.state).toEqual(await undisturbedState(historyOf(randomFrom(seed))));
});

/** Whether another result, or none, comes of the history. */
async function isNoticed(history: History, run: () => Promise<Run>): Promise<boolean> {
  const expected = await undisturbedState(history);
  const found = await run().then(
    ({ state }) => state,
    (error: unknown) => error,
  );
  return !isDeepStrictEqual(found, expected);
}

test('these tests notice a server that forgets the conditions of writes, which come late', async () => {
  const heldOften = (seed: number, weakness?: Weakness): Promise<Run> => {
    const drawn = randomFrom(seed + 1_000);
    const planned = () => (drawn(3) === 0 ? 'held' : undefined);
    return disturbedRun(historyOf(randomFrom(seed)), randomFrom(seed), planned, createMemoryServer(weakness));
  };
  let noticed = 0;
  for (const seed of [1, 2, 4, 5]) {
    const history = historyOf(randomFrom(seed));
    expect(await isNoticed(history, () => heldOften(seed))).toBe(false);
    if (await isNoticed(history, () => heldOften(seed, 'conditions'))) noticed += 1;
  }
  expect(noticed).toBeGreaterThan(1);
});
