// How far a stream is: by its last message, else by the checkpoint beside it, else it cannot be told.
import { expect, test } from 'vitest';
import { cursorIn, type OutcomeStream } from '../../../../src/adapters/nats/outcome-stream.ts';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import { PublisherRefused } from '../../../../src/kernel/ports/publisher.ts';

const stream: OutcomeStream = { created: 'today', lastSequence: 9, isUnused: false, lastBody: undefined };
const checkpoint = { created: 'today', source: 'log', sequence: 7, position: '70', eventId: 'e70' };
const body = (more: object = {}) => JSON.stringify({ id: 'e90', source: 'log', position: '90', ...more });

const cursor = (more: Partial<OutcomeStream>, kept?: typeof checkpoint) =>
  cursorIn({ ...stream, ...more }, 'log', 'LEVY', kept);

test('an unused stream is at the start, whatever a checkpoint of an earlier one says', () => {
  expect(cursor({ isUnused: true, lastSequence: 0 }, checkpoint)).toEqual({
    position: START,
    eventId: null,
    alreadyStored: 0,
  });
});

test('the last message holds the position, also beside an older checkpoint', () => {
  expect(cursor({ lastBody: body() }, checkpoint)).toEqual({
    position: '90',
    eventId: 'e90',
    alreadyStored: 0,
  });
});

test('where the last message is gone, each sequence after the checkpoint is one message', () => {
  expect(cursor({}, checkpoint)).toEqual({ position: '70', eventId: 'e70', alreadyStored: 2 });
  expect(cursor({ lastSequence: 5 }, checkpoint)).toMatchObject({ alreadyStored: 0 });
});

test('a stream that lost all that it had, and its checkpoint, is at the start', () => {
  expect(cursor({ lastSequence: 0 })).toEqual({ position: START, eventId: null, alreadyStored: 0 });
});

test.each([
  ['the last message is not one of Levy', { lastBody: '{}' }, undefined, 'was not published by Levy'],
  [
    'the last message names no event',
    { lastBody: body({ id: undefined }) },
    undefined,
    'was not published by Levy',
  ],
  ['the last message is no JSON', { lastBody: 'hello' }, undefined, 'was not published by Levy'],
  ['the last message is of another log', { lastBody: body({ source: 'b' }) }, undefined, 'another log (b'],
  ['the checkpoint is of another log', {}, { ...checkpoint, source: 'b' }, 'another log (b'],
  ['the checkpoint is of an earlier stream', {}, { ...checkpoint, created: 'before' }, 'is unknown'],
  ['there is no checkpoint', {}, undefined, 'is unknown'],
])('it is refused where %s', (_why, more, kept, reason) => {
  expect(() => cursor(more, kept)).toThrow(PublisherRefused);
  expect(() => cursor(more, kept)).toThrow(reason);
});
