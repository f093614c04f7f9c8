/** For tests of what rests, retries and polls: on real timers they would wait for seconds. */
import { beforeEach, vi } from 'vitest';

/** In the tests of the file, or of the `describe` around, the next timer fires as soon as everything else had its turn. */
export function skipPauses(): void {
  beforeEach(({ onTestFinished }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.setTimerTickMode('nextTimerAsync');
    // The first to be registered is the last to run: what the test opened is closed on the same timers.
    onTestFinished(() => void vi.useRealTimers());
  });
}
