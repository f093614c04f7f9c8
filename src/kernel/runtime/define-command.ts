/** Describes a command: its route, validation, decision loop, idempotency and answer follow from one file. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import type { Call, InputOf, InputSchemas, Route } from './define-route.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Cause } from './execute.ts';

/** Thrown in place of the answer if the caller prefers not to wait for the outcome: 202, without a body. */
export class AcceptedForLater extends Error {
  override readonly name = 'AcceptedForLater';
  /** The URL of the outcome. */
  readonly location: string;
  constructor(location: string) {
    super(`the outcome is told at ${location}`);
    this.location = location;
  }
}

export interface CommandIds {
  readonly commandId: string;
  readonly actor: string;
  /** The id of the access token that came with the call. */
  readonly tokenId: string | undefined;
}

export interface CommandContext<Services> {
  readonly services: Services;
  readonly call: Call;
  /** The cause that this command records with its events, and with those that it makes other parts record. */
  readonly cause: Cause;
  /**
   * Says that the answer includes the log up to this position, also of other streams: a later read must show as much.
   */
  readonly observed: (position: Position) => void;
}

/** The description of a command, with or without its types. */
interface CommandDescription<Schemas extends InputSchemas, Output extends TSchema> {
  /** Imperative, unique. */
  readonly name: string;
  readonly summary: string;
  /** Markdown, for what the summary and the schemas do not say. */
  readonly description: string;
  readonly route: Route;
  readonly input: Schemas;
  readonly output: Output;
  /** It throws `AcceptedForLater` to those who prefer not to wait (`Prefer: respond-async`). */
  readonly respondsAsync?: true;
  /** The codes of this command's rejections, besides those common to all routes. */
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
   * Calls with the same key, also of other commands, run one after another in this process, each after the answer of
   * the one before. For limits that a read model checks, where calls at the same moment would not see each other, and
   * for changes that are to be made in the order in which they came.
   */
  readonly turnOf?: (input: InputOf<Schemas>, actor: string) => string;
  /** Pure. */
  readonly streamId: (input: InputOf<Schemas>, ids: CommandIds) => string;
  /** Everything impure: clock, chain, keys, claims in other streams. Runs once, even if the decision runs again. */
  readonly prepare: (input: InputOf<Schemas>, context: CommandContext<Services>) => Promise<Facts>;
  /** Pure. No events means that nothing needs to change. Throws `Rejection` for a broken rule. */
  readonly decide: (
    state: State,
    input: InputOf<Schemas>,
    facts: Facts,
    actor: string,
  ) => readonly NoInfer<Event>[];
  /** The answer, computed from the recorded events: a repeated command gets it again without `prepare`. */
  readonly respond: (
    state: State,
    input: InputOf<Schemas>,
    context: CommandContext<Services>,
  ) => Static<Output> | Promise<Static<Output>>;
  /**
   * The tag of the answer, sent as `ETag`. Pure. `decide` compares If-Match with the same tag (see `entity-tag.ts`).
   */
  readonly entityTag?: (state: State) => string | undefined;
}

/** A command as the registry holds it: only the command itself knows its types. */
export interface AnyCommand<Services> extends CommandDescription<InputSchemas, TSchema> {
  readonly kind: 'command';
  /** Present if its answers have an `ETag`. */
  readonly entityTag?: unknown;
  readonly stream: { readonly category: string };
  readonly run: (runner: CommandRunner<Services>, input: unknown, call: Call) => Promise<CommandAnswer>;
}

export interface CommandAnswer {
  readonly output: unknown;
  /** The position of the last event that the answer includes. */
  readonly position: string | undefined;
  readonly entityTag?: string | undefined;
  /** The URL of the outcome, if the caller prefers not to wait; there is no output then. */
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

/** `commandsFor<Services>()` gives the `defineCommand` of a service. */
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
