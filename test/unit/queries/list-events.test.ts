// Events of the log for operators: what cannot be read is shown as such, and a store that does not answer is no empty log.
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { listEvents } from '../../../src/queries/list-events.ts';
import { tokenCreated } from '../../support/domain-examples.ts';
import { happening, storedEvents } from '../../support/recorded-events.ts';
import { only } from '../../support/run-examples.ts';

const [event] = storedEvents([happening('1', tokenCreated)]) as readonly [RecordedEvent];

function find(readWindow: EventStore['readWindow'], query: object = {}): Promise<unknown> {
  return listEvents.run(
    { params: {}, query, body: undefined },
    {
      services: {
        clock: { now: () => new Date(0) },
        eventStore: only<EventStore>('a stream', { readWindow }),
      },
      call: { actor: 'operator:alice', requestId: 'request' },
    },
  );
}

test('an event that cannot be read is shown, without its bytes', async () => {
  const unreadable = { ...event, data: {}, metadata: {}, unreadable: 'its data are not JSON' };
  const raw = { data: 'AA==', metadata: 'AA==' };
  const answer = await find(async () => ({
    events: [{ ...unreadable, raw }],
    reached: event.position,
    isEnd: true,
  }));
  expect(answer).toEqual({
    events: [unreadable],
    next: null,
    scannedCount: 1,
    reached: { position: event.position, time: null },
  });
});

test('a store that does not answer is not told as an empty log, nor as a wrong cursor', async () => {
  const failing = (error: Error, query: object = {}) =>
    find(async () => {
      throw error;
    }, query);
  const away = new StoreUnavailable('away');
  for (const query of [{}, { after: '1' }])
    await expect(failing(away, query)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const unknown = new TypeError('beyond the end');
  await expect(failing(unknown, { after: '1' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
