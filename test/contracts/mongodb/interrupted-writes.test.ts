// However the writes of a read model are interrupted, repeating them from the checkpoint gives what SQLite has.
import { describe, expect, test } from 'vitest';
import {
  disturbedRun,
  FAULTS,
  historyOf,
  randomFrom,
  undisturbedState,
} from '../../support/interrupted-read-model.ts';

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

test.each([1, 2, 3, 4, 5, 6, 7, 8])('nor do many faults of any kind (seed %i)', async (seed) => {
  const drawn = randomFrom(seed + 1_000);
  const planned = () => (drawn(6) === 0 ? FAULTS[drawn(FAULTS.length)] : undefined);
  const run = await disturbedRun(historyOf(randomFrom(seed)), randomFrom(seed), planned);
  expect(run.faults).toBeGreaterThan(0);
  expect(run.state).toEqual(await undisturbedState(historyOf(randomFrom(seed))));
});
