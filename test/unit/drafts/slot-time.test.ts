// How long slots are, as the chain showed it last: asked for once a minute, and kept while nobody answers.
import { expect, test } from 'vitest';
import { createSlotTime } from '../../../src/drafts/slot-time.ts';
import { ChainUnavailable } from '../../../src/kernel/ports/chain.ts';

function world() {
  const at = { now: 0, slot: 400 as number | undefined, isAway: false, looks: 0 };
  const slotTime = createSlotTime(
    {
      async slotMilliseconds() {
        at.looks += 1;
        if (at.isAway) throw new ChainUnavailable('away');
        return at.slot;
      },
    },
    { now: () => new Date(at.now) },
  );
  return { at, slotTime };
}

test('is measured once a minute', async () => {
  const { at, slotTime } = world();
  expect(await slotTime.measured()).toBe(400);
  at.slot = 200;
  at.now = 59_999;
  expect([await slotTime.measured(), at.looks]).toEqual([400, 1]);
  at.now = 60_000;
  expect([await slotTime.measured(), at.looks]).toEqual([200, 2]);
});
