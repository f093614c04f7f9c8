// Looks at the log: eight at a time, each in its turn, whatever becomes of the others; the same place is looked at once for all.
import { expect, test } from 'vitest';
import type { EventStore, SubscriptionMessage } from '../../../../../src/kernel/ports/event-store.ts';
import { createBacklogReader } from '../../../../../src/server/delivery/feed/backlog.ts';

const AT_A_TIME = 8;
const turns = () => new Promise((resolve) => setImmediate(resolve));
const placeOf = (index: number) => String(index).padStart(2, '0');

/** A log whose looks end when the test says so. */
function heldLog() {
  const begun: string[] = [];
  const held = new Map<string, { finish: () => void; fail: () => void }>();
  const subscribe: EventStore['subscribe'] = async function* ({
    after,
  }): AsyncGenerator<SubscriptionMessage> {
    begun.push(after);
    await new Promise<void>((resolve, reject) => {
      held.set(after, { finish: resolve, fail: () => reject(new Error(`no look at ${after}`)) });
    });
    yield { kind: 'caught-up', position: `${after}-end` };
  };
  const unused = () => {
    throw new Error('a look only subscribes');
  };
  const store: EventStore = {
    subscribe,
    append: unused,
    read: unused,
    readBackwards: unused,
    readWindow: unused,
    head: unused,
    extentOf: unused,
    keepLast: unused,
    idAt: unused,
    mayHave: unused,
    close: unused,
  };
  const readBacklog = createBacklogReader({
    store,
    categories: ['token'],
    reader: { read: () => undefined, mayBecome: () => false },
    makeFrame: async () => undefined,
    signal: new AbortController().signal,
  });
  return {
    readBacklog,
    begun,
    finish: (place: string) => held.get(place)?.finish(),
    fail: (place: string) => held.get(place)?.fail(),
  };
}

test('only so many run at a time, and the others begin in the order in which they came', async () => {
  const { readBacklog, begun, finish } = heldLog();
  const places = Array.from({ length: AT_A_TIME + 3 }, (_, index) => placeOf(index));
  const results = places.map((place) => readBacklog(place));
  await turns();
  expect(begun).toEqual(places.slice(0, AT_A_TIME));
  finish(placeOf(1));
  await turns();
  expect(begun).toEqual(places.slice(0, AT_A_TIME + 1));
  for (const place of places) finish(place);
  await turns();
  for (const place of places) finish(place);
  expect(await Promise.all(results)).toEqual(
    places.map((place) => ({ frames: [], position: `${place}-end` })),
  );
  expect(begun).toEqual(places);
});

test('one that fails lets the next begin, and whoever waited comes before whoever comes then', async () => {
  const { readBacklog, begun, finish, fail } = heldLog();
  const first = Array.from({ length: AT_A_TIME }, (_, index) => placeOf(index));
  const [failing, ...others] = first.map((place) => readBacklog(place));
  const waiting = readBacklog('waiting');
  await turns();
  fail(placeOf(0));
  await expect(failing).rejects.toThrow('no look at 00');
  const late = readBacklog('late');
  await turns();
  expect(begun).toEqual([...first, 'waiting']);
  finish('waiting');
  await waiting;
  await turns();
  expect(begun).toEqual([...first, 'waiting', 'late']);
  for (const place of [...first, 'late']) finish(place);
  await Promise.all([...others, late]);
});

test('at the same place are one look, until it has ended', async () => {
  const { readBacklog, begun, finish } = heldLog();
  const [one, other] = [readBacklog('00'), readBacklog('00')];
  await turns();
  expect(begun).toEqual(['00']);
  finish('00');
  expect(await one).toBe(await other);
  const again = readBacklog('00');
  await turns();
  expect(begun).toEqual(['00', '00']);
  finish('00');
  await again;
});
