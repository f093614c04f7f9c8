/** Watches the launched pools repeatedly, from the service's start. */
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { type Repetition, startRepetition } from '../../kernel/runtime/repeat.ts';
import type { LaunchFiguresNow } from './figures-now.ts';
import { createPoolWatcher, type PoolWatcherOptions } from './pool-watcher.ts';

/** Milliseconds between two rounds: well within the figures' lifetime. */
const POOL_PAUSE = 1_000;

export interface PoolWatch {
  readonly figures: LaunchFiguresNow;
  readonly repetition: Repetition;
}

/** Resolves after the first round, even a failed one: a failed round does not stop the start. */
export async function startPoolWatch(options: PoolWatcherOptions): Promise<PoolWatch> {
  const { clock, logger } = options;
  const watcher = createPoolWatcher(options);
  await watcher
    .watch()
    .catch((error: unknown) =>
      logger.warn({ error: messageOf(error) }, 'launched pools could not be read before the start'),
    );
  const repetition = startRepetition({
    name: 'pool-watcher',
    clock,
    logger,
    work: async () => {
      await watcher.watch();
      return POOL_PAUSE;
    },
  });
  return { figures: watcher.figures, repetition };
}
