// The read model in MongoDB is exact after thousands of drawn histories with faults, on a server in memory.
import { expect, test } from 'vitest';
import {
  disturbedRun,
  FAULTS,
  historyOf,
  randomFrom,
  undisturbedState,
} from '../../support/interrupted-read-model.ts';

const SEEDS = Number(process.env.LEVY_READ_MODEL_SEEDS ?? 2_000);
const FIRST = Number(process.env.LEVY_READ_MODEL_SEED ?? 1);
const PART = 100;

const parts = Array.from({ length: Math.ceil(SEEDS / PART) }, (_, part) => FIRST + part * PART);

test.each(parts)('whatever happens to its writes (a hundred seeds from %i)', async (first) => {
  for (let seed = first; seed < Math.min(first + PART, FIRST + SEEDS); seed += 1) {
    const history = historyOf(randomFrom(seed), 8 + (seed % 24));
    const drawn = randomFrom(seed + 1_000_000);
    const oneIn = 3 + (seed % 9);
    const planned = () => (drawn(oneIn) === 0 ? FAULTS[drawn(FAULTS.length)] : undefined);
    const run = await disturbedRun(history, randomFrom(seed), planned);
    expect(run.state, `seed ${seed}`).toEqual(await undisturbedState(history));
  }
});
