// The read model in MongoDB is exact after thousands of drawn histories with faults, on a server in memory.
import { expect, test } from 'vitest';
import {
  disturbedRun,
  FAULTS,
  historyOf,
  randomFrom,
  undisturbedState,
} from '../../support/interrupted-read-model.ts';

const only = process.env.LEVY_READ_MODEL_SEED;
const FIRST = Number(only ?? 1);
const SEEDS = Number(process.env.LEVY_READ_MODEL_SEEDS ?? (only === undefined ? 500 : 1));
const PART = 20;

const parts = Array.from({ length: Math.ceil(SEEDS / PART) }, (_, part) => FIRST + part * PART);

test.each(parts)('whatever happens to its writes (seeds from %i)', async (first) => {
  for (let seed = first; seed < Math.min(first + PART, FIRST + SEEDS); seed += 1) {
    const history = historyOf(randomFrom(seed), 8 + (seed % 24));
    const drawn = randomFrom(seed + 1_000_000);
    const oneIn = 8 + (seed % 12);
    const planned = () => (drawn(oneIn) === 0 ? FAULTS[drawn(FAULTS.length)] : undefined);
    const run = await disturbedRun(history, randomFrom(seed), planned);
    expect(run.state, `seed ${seed}`).toEqual(await undisturbedState(history));
  }
});
