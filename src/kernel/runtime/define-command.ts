/** Defines a command: route, validation, decision, idempotency and response in one file. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import type { Call, InputOf, InputSchemas, Route } from './define-route.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Cause } from './execute.ts';

/** Thrown instead of the response if the caller prefers not to wait for the outcome; results in 202 without a body. */
export class AcceptedForLater extends Error {
  override readonly name = 'AcceptedForLater';
  /** URL of the outcome. */
  readonly location: string;
  constructor(location: string) {
    super(`the outcome is available at ${location}`);
    this.location = location;
  }
}

export interface CommandIds {
  readonly commandId: string;
  readonly actor: string;
  readonly tokenId: string | undefined;
}

export interface CommandContext<Services> {
  readonly services: Services;
  readonly call: Call;
  /** Cause recorded with this command's events, and with those that other parts record for it. */
  readonly cause: Cause;
  /** Reports the highest position that the response reflects, also of other streams, so that later reads can wait for it. */
  readonly observed: (position: Position) => void;
}

/** Description of a command, with or without its types. */
interface CommandDescription<Schemas extends InputSchemas, Output extends TSchema> {
  /** Imperative, unique. */
  readonly name: string;
  readonly summary: string;
  /** Markdown that supplements the summary and the schemas. */
  readonly description: string;
  readonly route: Route;
  readonly input: Schemas;
  readonly output: Output;
  /** True if it throws `AcceptedForLater` for callers who prefer not to wait (`Prefer: respond-async`). */
  readonly respondsAsync?: true;
  /** Codes of this command's rejections, besides those common to all routes. */
  readonly rejections: readonly string[];
}

export interface CommandDefinition<
  Services,
  State,
  Event extends DomainEvent,
  Schemas extends InputSchemas,
  Facts,
  Output extends TSchema,
> extends CommandDescription<Schemas, Output> {
  readonly stream: StreamDefinition<State, Event>;
  /**
   * Calls with the same key, also of other commands, run serially in this process, each after the previous response. For
   * limits checked with a read model, which would miss concurrent calls, and for changes that must be made in call order.
   */
  readonly lockOf?: (input: InputOf<Schemas>, actor: string) => string;
  /** Pure. */
  readonly streamId: (input: InputOf<Schemas>, ids: CommandIds) => string;
  /** All impure steps: clock, chain, keys, claims in other streams. Runs once, even if the decision runs again. */
  readonly prepare: (input: InputOf<Schemas>, context: CommandContext<Services>) => Promise<Facts>;
  /** Decides on the events to append; none if no change is needed. Pure. Throws `Rejection` for a violated rule. */
  readonly decide: (
    state: State,
    input: InputOf<Schemas>,
    facts: Facts,
    actor: string,
  ) => readonly NoInfer<Event>[];
  /** Response computed from the recorded events; a repeated command gets it again without `prepare`. */
  readonly respond: (
    state: State,
    input: InputOf<Schemas>,
    context: CommandContext<Services>,
  ) => Static<Output> | Promise<Static<Output>>;
  /** Tag of the response, sent as `ETag`. Pure. `decide` compares If-Match with the same tag (see `entity-tag.ts`). */
  readonly entityTag?: (state: State) => string | undefined;
}

/** Command in the registry, without its specific types. */
export interface AnyCommand<Services> extends CommandDescription<InputSchemas, TSchema> {
  readonly kind: 'command';
  /** Present if the responses have an `ETag`. */
  readonly entityTag?: unknown;
  readonly stream: { readonly category: string };
  readonly run: (runner: CommandRunner<Services>, input: unknown, call: Call) => Promise<CommandAnswer>;
}

export interface CommandAnswer {
  readonly output: unknown;
  /** Position of the last event that the response includes. */
  readonly position: string | undefined;
  readonly entityTag?: string | undefined;
  /** URL of the outcome, if the caller prefers not to wait; then `output` is undefined. */
  readonly acceptedAt?: string;
}

export type CommandRunner<Services> = <
  State,
  Event extends DomainEvent,
  Schemas extends InputSchemas,
  Facts,
  Output extends TSchema,
>(
  command: CommandDefinition<Services, State, Event, Schemas, Facts, Output>,
  input: InputOf<Schemas>,
  call: Call,
) => Promise<CommandAnswer>;

/** `commandsFor<Services>()` returns the `defineCommand` of a service. */
export function commandsFor<Services>() {
  return <State, Event extends DomainEvent, Schemas extends InputSchemas, Facts, Output extends TSchema>(
    definition: CommandDefinition<Services, State, Event, Schemas, Facts, Output>,
  ) => ({
    ...definition,
    kind: 'command' as const,
    // The HTTP layer has validated the input against the same schemas.
    run: (runner: CommandRunner<Services>, input: unknown, call: Call) =>
      runner(definition, input as InputOf<Schemas>, call),
  });
}
