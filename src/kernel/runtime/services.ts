/** Services used by nearly all commands and queries. */
import type { ReadModel } from '../ports/read-model.ts';
import type { Clock } from './clock.ts';
import type { AnyCommand } from './define-command.ts';
import type { AnyQuery } from './define-query.ts';
import type { Executor } from './execute.ts';

export interface RuntimeServices {
  readonly clock: Clock;
  readonly executor: Executor;
  readonly readModel: ReadModel;
}

type Uses<Entry> =
  Entry extends AnyCommand<infer Services>
    ? (services: Services) => void
    : Entry extends AnyQuery<infer Services>
      ? (services: Services) => void
      : never;

/** Services used by a list of commands or queries; adding one to the list declares its services, too. */
export type UsedServices<Entries extends readonly unknown[]> =
  Uses<Entries[number]> extends (services: infer Services) => void ? Services : never;
