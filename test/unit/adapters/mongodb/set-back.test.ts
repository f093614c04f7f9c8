// A server that has lost what it acknowledged is noticed, and the read models are exact once they are filled from there.
import { expect, test } from 'vitest';
import { WritesLost } from '../../../../src/kernel/ports/shared-read-model.ts';
import {
  historyOf,
  randomFrom,
  setBackRun,
  undisturbedState,
} from '../../../support/interrupted-read-model.ts';

test('whatever state the server is put back to, the writer hides no gap and the next one fills it', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    // So long that none is done before the server is put back.
    const history = historyOf(randomFrom(seed), 90);
    const { refusal, state } = await setBackRun(history, randomFrom(seed));
    expect(refusal, `seed ${seed}`).toBeInstanceOf(WritesLost);
    expect(state, `seed ${seed}`).toEqual(await undisturbedState(history));
  }
});
