/** What queries use to read observations of the chain. */
import type { LaunchFiguresNow } from './figures-now.ts';

export interface ObserverServices {
  readonly launches: LaunchFiguresNow;
}
