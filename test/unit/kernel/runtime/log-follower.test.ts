// A process that follows the log says so only while it hears what others record.
import { expect, onTestFinished, test } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createLogFollower } from '../../../../src/kernel/runtime/log-follower.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { deferred } from '../../../support/deferred.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const counted = () => ({ id: randomId(), type: 'Counted', data: {}, metadata: {} });

function follow(store: EventStore) {
  const learned: RecordedEvent[] = [];
  const lines: unknown[] = [];
  const health = { healthy: true };
  const follower = createLogFollower({
    store,
    categories: ['counter'],
    learn: (events) => learned.push(...events),
    trouble: () => (health.healthy ? undefined : {}),
    logger: loggerTo((message, details) => lines.push({ message, ...details })),
  });
  onTestFinished(() => follower.stop());
  return { follower, learned, lines, health };
}

test('it hears what is recorded from its start on, and nothing older', async () => {
  const store = await temporaryEventStore();
  await store.append('counter-old', 'none', [counted()]);
  const { follower, learned } = follow(store);
  await follower.start();
  await store.append('counter-new', 'none', [counted()]);
  await eventually('it hears', async () => learned.length > 0);
  expect(learned.map(({ stream }) => stream)).toEqual(['counter-new']);
});

test('it does not follow before it has caught up, while the store does not answer, nor after it was stopped', async () => {
  const store = await temporaryEventStore();
  const { promise: opening, resolve: open } = deferred();
  const slow = withMethods(store, {
    async *subscribe(options) {
      await opening;
      yield* store.subscribe(options);
    },
  });
  const { follower, health } = follow(slow);
  expect(follower.isFollowed()).toBe(false);
  await follower.start();
  expect(follower.isFollowed()).toBe(false);
  open();
  await eventually('it follows', async () => follower.isFollowed());
  health.healthy = false;
  expect(follower.isFollowed()).toBe(false);
  health.healthy = true;
  expect(follower.isFollowed()).toBe(true);
  const stopped = follower.stop();
  expect(follower.isFollowed()).toBe(false);
  await stopped;
});

test('from a failure on it does not follow until it has caught up again, and the log says why', async () => {
  const store = await temporaryEventStore();
  const { promise: failure, reject: cut } = deferred();
  const { promise: again, resolve: goOn } = deferred();
  let subscriptions = 0;
  const broken = withMethods(store, {
    async *subscribe(options) {
      subscriptions += 1;
      if (subscriptions > 1) {
        await again;
        yield* store.subscribe(options);
      }
      yield { kind: 'caught-up', position: '' };
      await failure;
    },
  });
  const { follower, lines, learned } = follow(broken);
  await follower.start();
  await eventually('it follows', async () => follower.isFollowed());
  cut(new Error('the connection was cut'));
  await eventually('it no longer follows', async () => !follower.isFollowed());
  expect(lines).toEqual([
    { message: 'the log cannot be followed', error: 'the connection was cut', final: false },
  ]);
  await store.append('counter-new', 'none', [counted()]);
  goOn();
  await eventually('it follows again', async () => follower.isFollowed());
  expect(learned).toHaveLength(1);
});

test('the end of the log is where the last event is that concerns a read model, while it is followed', async () => {
  const store = await temporaryEventStore();
  const { follower, health } = follow(store);
  await follower.start();
  await eventually('it follows', async () => follower.isFollowed());
  await store.append('counter-one', 'none', [counted()]);
  const end = await store.head();
  await store.append('lease-settler', 'none', [counted()]);
  expect(await follower.end()).toBe(end);
  health.healthy = false;
  expect(await follower.end()).toBe(await store.head());
  health.healthy = true;
  await store.append('counter-two', 'none', [counted()]);
  await eventually('the end moves', async () => (await follower.end()) === (await store.head()));
});

test('events of a category are passed to its listeners until they leave', async () => {
  const store = await temporaryEventStore();
  const { follower, learned } = follow(store);
  const heard: string[] = [];
  const leave = follower.listen('counter', ({ stream }) => heard.push(stream));
  follower.listen('other', ({ stream }) => heard.push(stream));
  await follower.start();
  await store.append('counter-one', 'none', [counted()]);
  await eventually('it is received', async () => heard.length === 1);
  leave();
  await store.append('counter-two', 'none', [counted()]);
  await eventually('both are learned', async () => learned.length === 2);
  expect(heard).toEqual(['counter-one']);
});
