/** What queries use to read observations of the chain. */
import type { LaunchFiguresNow } from './pool-watcher.ts';

export interface ObserverServices {
  readonly launches: LaunchFiguresNow;
}
