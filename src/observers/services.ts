/** What queries about what happens on the chain use. */
import type { LaunchFiguresNow } from './pool-watcher.ts';

export interface ObserverServices {
  readonly launches: LaunchFiguresNow;
}
