/**
 * The form of every test of a command's rule: given what happened in its stream, when it is decided on an input and
 * facts, then exactly these events, or this rejection.
 *
 * On the way it holds the command to what every command must keep: events fit their schemas and survive being stored,
 * `decide` is pure, and deciding once more on the result records nothing.
 */
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { expect } from 'vitest';
import type { CommandDefinition } from '../../src/kernel/runtime/define-command.ts';
import type { InputOf, InputSchemas } from '../../src/kernel/runtime/define-route.ts';
import type { DomainEvent } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { Rejection } from '../../src/kernel/runtime/rejection.ts';
import { REJECTION_CODES, type RejectionCode } from '../../src/streams/rejections.ts';
import { deepFreeze } from './deep-freeze.ts';

export interface When<Schemas extends InputSchemas, Facts> {
  /** An omitted part has no members, as on a route that does not take it. */
  readonly input?: Partial<InputOf<Schemas>>;
  /** Facts as `prepare` returns them. */
  readonly facts: Facts;
  readonly actor?: string;
}

export function commandSpec<
  Services,
  State,
  Event extends DomainEvent,
  Schemas extends InputSchemas,
  Facts,
  Output extends TSchema,
>(command: CommandDefinition<Services, State, Event, Schemas, Facts, Output>) {
  const { stream } = command;
  const codec = createEventCodec([stream]);

  function roundTrip(event: Event): Event {
    const metadata = {
      commandId: randomId(),
      inputHash: '',
      correlationId: 'example',
      causationId: 'example',
      actor: 'anonymous',
      occurredAt: '2026-05-04T10:00:00.000Z',
    };
    const encoded = codec.encode(stream.category, randomId(), event, metadata);
    const stored = { ...encoded, stream: `${stream.category}-example`, revision: 0, position: '1' };
    const { type, data } = codec.decode(JSON.parse(JSON.stringify(stored)));
    expect({ type, data }, `${event.type} comes back from the store as it was`).toEqual(event);
    return deepFreeze({ type, data }) as Event;
  }

  function fold(state: State, events: readonly Event[]): State {
    return deepFreeze(events.map(roundTrip).reduce((before, event) => stream.evolve(before, event), state));
  }

  function whole(input: Partial<InputOf<Schemas>> = {}): InputOf<Schemas> {
    const parts = { params: {}, query: {}, body: undefined, ...input };
    for (const part of ['params', 'query', 'body'] as const) {
      const schema = command.input[part];
      if (schema !== undefined) Value.Assert(schema, parts[part]);
    }
    return deepFreeze(parts) as InputOf<Schemas>;
  }

  return {
    given(...history: readonly Event[]) {
      const state = fold(deepFreeze(stream.initial), history);
      return {
        when({ input, facts, actor = 'anonymous' }: When<Schemas, Facts>) {
          const given = whole(input);
          deepFreeze(facts);
          const decide = (on: State): readonly Event[] => command.decide(on, given, facts, actor);

          return {
            /** Exactly these events; decided again on the result, none. */
            records(...expected: readonly [Event, ...Event[]]): void {
              const decided = decide(state);
              expect(decided).toEqual(expected);
              expect(decide(state), 'the same state gives the same events').toEqual(expected);
              expect(decide(fold(state, decided)), 'deciding again on the result records nothing').toEqual(
                [],
              );
            },
            recordsNothing(): void {
              expect(decide(state)).toEqual([]);
            },
            rejects(code: RejectionCode): void {
              const { kind, code: actual } = rejectionOf(() => decide(state));
              expect({ code: actual, kind }).toEqual({ code, kind: REJECTION_CODES[code].kind });
              expect(command.rejections, 'the command declares its rejections').toContain(code);
            },
          };
        },
      };
    },
  };
}

/** The rejection with which a function says no; whatever else it does fails the test. */
export function rejectionOf(work: () => unknown): Rejection {
  let outcome: unknown;
  try {
    outcome = work();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error(`a rejection was expected, not ${JSON.stringify(outcome)}`);
}
