// All subscribers of a process share what the server sends: it is parsed once, and only if one of them wants it.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEventStoreDb } from '../../../src/adapters/eventstoredb/event-store.ts';
import { type RecordedEvent, START } from '../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { eventually } from '../../support/eventually.ts';

test('what is recorded is parsed once for all subscribers, and not at all for none', async () => {
  const { url } = await startEventStoreStandIn();
  const store = await openEventStoreDb({ url, prefix: 'once', logger: silentLogger });
  onTestFinished(() => store.close());
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const follow = (categories: readonly string[]) => {
    const seen: RecordedEvent[] = [];
    const follower = { seen, isCaughtUp: false };
    void (async () => {
      for await (const message of store.subscribe({ after: START, categories, signal: stopping.signal })) {
        if (message.kind === 'event') seen.push(message.event);
        if (message.kind === 'caught-up') follower.isCaughtUp = true;
      }
    })();
    return follower;
  };
  const followers = [follow(['thing']), follow(['thing']), follow(['thing', 'last'])];
  await eventually('all follow', async () => followers.every(({ isCaughtUp }) => isCaughtUp));

  const parsed = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parsed.mockRestore());
  const append = (category: string) =>
    store.append(`${category}-1`, 'none', [
      { id: randomUUID(), type: 'Happened', data: { category }, metadata: {} },
    ]);
  for (const category of ['thing', 'unwanted', 'last']) await append(category);
  await eventually('the last one is seen', async () => followers[2]?.seen.length === 2);
  const [first, second, third] = followers.map(({ seen }) => seen[0]);
  expect(first?.data).toEqual({ category: 'thing' });
  expect(second).toBe(first);
  expect(third).toBe(first);
  const times = (category: string) =>
    parsed.mock.calls.filter(([text]) => text === JSON.stringify({ category })).length;
  expect(['thing', 'unwanted', 'last'].map(times)).toEqual([1, 0, 1]);
});
