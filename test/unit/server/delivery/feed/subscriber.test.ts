// One subscriber: what it is written of frames that it may have been told already, and of checkpoints.
import { expect, test } from 'vitest';
import type { Frame } from '../../../../../src/server/delivery/feed/frames.ts';
import { selectionOf } from '../../../../../src/server/delivery/feed/selection.ts';
import { createSubscriber } from '../../../../../src/server/delivery/feed/subscriber.ts';
import { createTestSink } from '../../../../support/feeding.ts';

const frameAt = (position: string): Frame => ({
  position,
  name: 'tokens.created',
  audience: 'public',
  about: {},
  hiddenWith: undefined,
  bytes: () => Buffer.from(`(${position})`),
});

const checkpointAt = (position: string) => ({ position, bytes: Buffer.from(`[${position}]`) });

function subscriberAt(position: string) {
  const sink = createTestSink(false);
  const subscriber = createSubscriber(
    sink,
    selectionOf({}, { audience: 'public' }),
    {
      position,
      lastSent: position,
    },
    'network',
  );
  const written = () => Buffer.concat([...sink.received]).toString();
  const tell = (...positions: string[]) => {
    const frames = positions.map(frameAt);
    subscriber.send(frames, Buffer.concat(frames.map((frame) => frame.bytes())));
  };
  return { subscriber, written, tell };
}

test('is written what is after its position, and of that everything once', () => {
  const { written, tell } = subscriberAt('5');
  tell('3', '4');
  expect(written()).toBe('');
  tell('4', '5', '6', '7');
  expect(written()).toBe('(6)(7)');
});

test('is told how far it is only where the id that it was given last does not say so', () => {
  const { subscriber, written, tell } = subscriberAt('5');
  tell('3');
  subscriber.heartbeat(checkpointAt('5'));
  expect(written()).toBe(':\n');
  subscriber.heartbeat(checkpointAt('6'));
  subscriber.heartbeat(checkpointAt('6'));
  tell('7');
  subscriber.heartbeat(checkpointAt('7'));
  expect(written()).toBe(':\n[6]:\n(7):\n');
});

test('reads on a stretch at a time, and says whether it came to the end', () => {
  const { subscriber, written } = subscriberAt('5');
  const large = { ...frameAt('6'), bytes: () => Buffer.alloc(70_000, 'x') };
  const hidden = { has: () => false };
  expect(subscriber.sendStretch([large, frameAt('7')], hidden)).toBe(false);
  expect([subscriber.position, written().length]).toEqual(['6', 70_000]);
  expect(subscriber.sendStretch([frameAt('7')], hidden)).toBe(true);
  expect(subscriber.sendStretch([], hidden)).toBe(true);
  expect([subscriber.position, written().slice(70_000)]).toEqual(['7', '(7)']);
});
