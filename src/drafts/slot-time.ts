/** How long the chain's slots are, as the chain itself shows it: it differs from chain to chain, and changes with releases. */
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';

/** Milliseconds. A release that changes it takes days to be everywhere. */
const MEASURED_EVERY = 60_000;

/** In milliseconds; undefined before the first answer. */
export interface SlotTime {
  /** At most a minute old while the node answers, else as it was last. */
  measured(): Promise<number | undefined>;
  /** As it was measured last; has it measured again, without waiting, when that is a minute old. */
  latest(): number | undefined;
}

export function createSlotTime(chain: Pick<Chain, 'slotMilliseconds'>, clock: Clock): SlotTime {
  let last: number | undefined;
  const look = throttled(MEASURED_EVERY, clock, async () => {
    last = (await chain.slotMilliseconds()) ?? last;
  });
  const measure = () => look().catch(() => undefined);
  return {
    async measured() {
      await measure();
      return last;
    },
    latest() {
      void measure();
      return last;
    },
  };
}
