// The kit for command tests sees what it promises to see.
import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { commandsFor } from '../../../src/kernel/runtime/define-command.ts';
import { constructorsOf, defineStream } from '../../../src/kernel/runtime/define-stream.ts';
import { EventShapeError } from '../../../src/kernel/runtime/event-codec.ts';
import { rejection } from '../../../src/streams/rejections.ts';
import { commandSpec } from '../../support/command-spec.ts';

const events = { Lit: Type.Object({ by: Type.String({ maxLength: 5 }) }) };
const { Lit } = constructorsOf(events);
const lamp = defineStream({
  category: 'lamp',
  events,
  initial: { lights: [] as string[] },
  evolve: (state, event) => ({ lights: [...state.lights, event.data.by] }),
});
type Lamp = (typeof lamp)['initial'];

function specOf(decide: (state: Lamp, by: string) => ReturnType<typeof Lit>[]) {
  const command = commandsFor<undefined>()({
    name: 'Light',
    summary: '',
    description: '',
    route: { method: 'POST', url: '/light', auth: 'none' },
    input: { body: Type.Object({ by: Type.String() }) },
    output: Type.Object({}),
    rejections: ['TOO_MANY_DRAFTS'],
    stream: lamp,
    streamId: () => 'one',
    prepare: async () => undefined,
    decide: (state, { body }) => decide(state, body.by),
    respond: () => ({}),
  });
  return commandSpec(command);
}

const once = specOf((state, by) => (state.lights.length > 0 ? [] : [Lit({ by })]));
const when = { input: { body: { by: 'me' } }, facts: undefined };

test('a rule that holds passes', () => {
  once
    .given()
    .when(when)
    .records(Lit({ by: 'me' }));
  once
    .given(Lit({ by: 'you' }))
    .when(when)
    .recordsNothing();
});

test('one event too few, too many or another one fails', () => {
  expect(() => once.given().when(when).recordsNothing()).toThrow();
  expect(() =>
    once
      .given()
      .when(when)
      .records(Lit({ by: 'you' })),
  ).toThrow();
  expect(() =>
    once
      .given()
      .when(when)
      .records(Lit({ by: 'me' }), Lit({ by: 'me' })),
  ).toThrow();
});

test('a decision that would be recorded again fails', () => {
  const again = specOf((_state, by) => [Lit({ by })]);
  expect(() =>
    again
      .given()
      .when(when)
      .records(Lit({ by: 'me' })),
  ).toThrow(/again on the result/);
});

test('a decision that changes the state it was given fails', () => {
  const changing = specOf((state, by) => {
    state.lights.push(by);
    return [];
  });
  expect(() => changing.given().when(when).recordsNothing()).toThrow(TypeError);
});

test('an event that does not fit its schema fails, given or recorded', () => {
  expect(() => once.given(Lit({ by: 'far too long' }))).toThrow(EventShapeError);
  const long = { ...when, input: { body: { by: 'far too long' } } };
  expect(() =>
    once
      .given()
      .when(long)
      .records(Lit({ by: 'far too long' })),
  ).toThrow(EventShapeError);
});

test('an input that the schema refuses is no test of the rule', () => {
  expect(() => once.given().when({ facts: undefined })).toThrow();
});

test('a rejection must be the one that is named, and be declared', () => {
  const declared = specOf(() => {
    throw rejection('TOO_MANY_DRAFTS', 'No.');
  });
  declared.given().when(when).rejects('TOO_MANY_DRAFTS');
  expect(() => declared.given().when(when).rejects('SIGN_IN_FAILED')).toThrow();
  const undeclared = specOf(() => {
    throw rejection('SIGN_IN_FAILED', 'No.');
  });
  expect(() => undeclared.given().when(when).rejects('SIGN_IN_FAILED')).toThrow(/declares/);
  expect(() => once.given().when(when).rejects('TOO_MANY_DRAFTS')).toThrow(/rejection was expected/);
});
