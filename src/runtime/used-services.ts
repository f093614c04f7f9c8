/** What a list of commands or queries uses altogether: whoever adds one to a list has nothing else to declare. */
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
