/** Measures the length of the chain's slots, which differs between chains and releases. */
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';

/** Milliseconds between two measurements; a release that changes the length takes days to be deployed everywhere. */
const MEASURED_EVERY = 60_000;

/** Slot length in milliseconds; undefined before the first response. */
export type SlotTime = ReturnType<typeof createSlotTime>;

export function createSlotTime(chain: Pick<Chain, 'slotMilliseconds'>, clock: Clock) {
  let last: number | undefined;
  const refresh = throttled(MEASURED_EVERY, clock, async () => {
    last = (await chain.slotMilliseconds()) ?? last;
  });
  const measure = () => refresh().catch(() => undefined);
  return {
    /** Slot length, measured again after a minute; if the node does not respond, the last measurement. */
    async measured() {
      await measure();
      return last;
    },
    /** Returns the last measurement, and starts a new one in the background if it is a minute old. */
    latest() {
      void measure();
      return last;
    },
  };
}
