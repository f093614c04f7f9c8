// Batches grow while the end of the log is far, and are small at the end.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SubscriptionMessage } from '../../../../src/kernel/ports/event-store.ts';
import { inBatches } from '../../../../src/kernel/runtime/subscription-runner.ts';

const event = (position: string): SubscriptionMessage => ({
  kind: 'event',
  event: {
    id: position,
    stream: 'counter-a',
    revision: 0,
    position,
    type: 'Counted',
    data: {},
    metadata: {},
  },
});
const caughtUp = (position: string): SubscriptionMessage => ({ kind: 'caught-up', position });
const checkpoint = (position: string): SubscriptionMessage => ({ kind: 'checkpoint', position });

/** Each message arrives some turns of the event loop after the one before, as over a network. */
async function* arriving(messages: readonly SubscriptionMessage[]) {
  for (const message of messages) {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    yield message;
  }
}

async function batchesOf(messages: readonly SubscriptionMessage[], most = 100): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const batch of inBatches(arriving(messages), most))
    found.push(
      batch.kind === 'events'
        ? batch.events.map(({ position }) => position).join('')
        : `${batch.kind} ${batch.position}`,
    );
  return found;
}

test('before the end was reached, events that arrive one by one are one batch, up to the most', async () => {
  const log = ['1', '2', '3', '4', '5'].map(event);
  expect(await batchesOf([...log, caughtUp('5')], 3)).toEqual(['123', '45', 'caught-up 5']);
});

test('at the end, each event is delivered as it arrives', async () => {
  expect(await batchesOf([caughtUp('0'), event('1'), event('2'), caughtUp('2')])).toEqual([
    'caught-up 0',
    '1',
    '2',
    'caught-up 2',
  ]);
});

test('a checkpoint between events does not end their batch, and one without events is delivered', async () => {
  const messages = [checkpoint('0'), event('1'), checkpoint('2'), event('3'), caughtUp('3')];
  expect(await batchesOf(messages)).toEqual(['checkpoint 0', '13', 'caught-up 3']);
});
