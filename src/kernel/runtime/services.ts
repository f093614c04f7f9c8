/** The services that nearly every command and query uses. */
import type { ReadModel } from '../ports/read-model.ts';
import type { Clock } from './clock.ts';
import type { Executor } from './execute.ts';

export interface RuntimeServices {
  readonly clock: Clock;
  readonly executor: Executor;
  readonly readModel: ReadModel;
}
