// What a process has appended itself, it knows as a read would show it, or not at all.
import { expect, test } from 'vitest';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createKnownAppend } from '../../../../src/kernel/runtime/known-append.ts';
import { createKnownStreams } from '../../../../src/kernel/runtime/known-streams.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

async function open() {
  const store = await temporaryEventStore();
  const streams = createKnownStreams({ isFollowed: () => true });
  streams.assumeNew('counter-a');
  return { store, streams, append: createKnownAppend(store, streams) };
}

const counted = (data: { readonly by: number; note?: string | undefined }) => ({
  id: randomId(),
  type: 'Counted',
  // As a caller without exact types would give it.
  data: data as { readonly by: number; note: string },
  metadata: {},
});

test('one event is known as it is stored, whatever its caller does with it later', async () => {
  const { store, streams, append } = await open();
  const data = { by: 1, note: undefined as string | undefined };
  await append('counter-a', 'none', [counted(data)]);
  data.note = 'changed later';
  expect(streams.current('counter-a')?.stored).toStrictEqual(await wholeLog(store));
});

test('of several events at once nothing is known: the store tells where the last one stands', async () => {
  const { streams, append } = await open();
  await append('counter-a', 'none', [counted({ by: 1 }), counted({ by: 2 })]);
  expect(streams.current('counter-a')).toBeUndefined();
});
