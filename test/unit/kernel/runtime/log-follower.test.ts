// A process that follows the log says so only while it hears what others record.
import { expect, onTestFinished, test } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { withMethods } from '../../../../src/kernel/runtime/around-calls.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createLogFollower } from '../../../../src/kernel/runtime/log-follower.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const counted = () => ({ id: randomId(), type: 'Counted', data: {}, metadata: {} });

function follow(store: EventStore) {
  const learned: RecordedEvent[] = [];
  const health = { healthy: true };
  const follower = createLogFollower({
    store,
    categories: ['counter'],
    learn: (events) => learned.push(...events),
    healthy: () => health.healthy,
    logger: silentLogger,
  });
  onTestFinished(() => follower.stop());
  return { follower, learned, health };
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
  let open = (): void => {};
  const opening = new Promise<void>((resolve) => {
    open = resolve;
  });
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
