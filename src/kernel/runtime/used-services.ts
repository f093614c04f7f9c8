/** All services that a list of commands or queries uses: adding one to the list declares its services too. */
import type { AnyCommand } from './define-command.ts';
import type { AnyQuery } from './define-query.ts';

type Uses<Entry> =
  Entry extends AnyCommand<infer Services>
    ? (services: Services) => void
    : Entry extends AnyQuery<infer Services>
      ? (services: Services) => void
      : never;

export type UsedServices<Entries extends readonly unknown[]> =
  Uses<Entries[number]> extends (services: infer Services) => void ? Services : never;
