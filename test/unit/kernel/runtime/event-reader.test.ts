// Readers of the log skip what is quarantined, remember what they cannot decode, and decode only what they want.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { createEventCodec, EventUndecodable } from '../../../../src/kernel/runtime/event-codec.ts';
import {
  createEventReader,
  readInOrder,
  unlessUndecodable,
} from '../../../../src/kernel/runtime/event-reader.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { QUARANTINE_STREAM, quarantine } from '../../../../src/kernel/runtime/quarantine.ts';
import { Counted, causeOf, clock, codec, counter } from '../../../support/counter.ts';
import { quarantineAt, readerOf } from '../../../support/quarantining.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

/** A counter at 1, an event that nobody knows, and nothing more. */
async function damaged(type = 'Painted') {
  const store = await temporaryEventStore();
  const reports: string[] = [];
  const reader = readerOf(store, reports);
  const executor = createExecutor(store, codec, clock, { reader });
  await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 1 })]);
  const id = randomId();
  await store.append('counter-a', 0, [{ id, type, data: { by: 'much' }, metadata: {} }]);
  const place = { eventId: id, stream: 'counter-a', revision: 1 };
  const [, bad] = (await wholeLog(store)) as [RecordedEvent, RecordedEvent];
  return { store, reader, executor, reports, place, bad };
}

const rejection = async (work: unknown) => Promise.resolve(work).catch((error: unknown) => error);

describe('an event that cannot be decoded', () => {
  test('is named with its stream and revision, remembered, and reported once', async () => {
    const { reader, executor, reports, place } = await damaged();
    for (let time = 1; time <= 3; time += 1) {
      const error = await rejection(executor.load(counter, 'a'));
      expect(error).toBeInstanceOf(EventUndecodable);
      expect((error as EventUndecodable).event).toMatchObject(place);
    }
    expect(reader.undecodable()).toMatchObject([{ ...place, eventType: 'Painted', isNewer: false }]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(place.eventId);
  });

  test('stops only its own stream', async () => {
    const { executor } = await damaged();
    expect(await unlessUndecodable(executor.load(counter, 'a'))).toBeUndefined();
    expect(await unlessUndecodable(executor.load(counter, 'b'))).toMatchObject({ revision: 'none' });
    const broken = Promise.reject(new Error('broken'));
    await expect(unlessUndecodable(broken)).rejects.toThrow('broken');
  });

  test('is skipped once it is quarantined, while its revision counts', async () => {
    const { store, reader, executor, reports, place } = await damaged();
    await rejection(executor.load(counter, 'a'));
    await quarantineAt(store, place);
    // This process learns of it when it meets the event again.
    expect(await executor.load(counter, 'a')).toMatchObject({ state: { total: 1 }, revision: 1 });
    const { state } = await executor.execute(counter, 'a', causeOf(), () => [Counted({ by: 2 })]);
    expect(state).toMatchObject({ total: 3 });
    expect(await executor.load(counter, 'a')).toMatchObject({ state: { total: 3 }, revision: 2 });
    expect(reader.undecodable()).toEqual([]);
    expect(reader.quarantined()).toMatchObject([place]);
    expect(reports.filter((report) => report.startsWith('quarantined event skipped'))).toHaveLength(1);
  });

  test('as the first of its stream leaves the state as it begins, at revision 0', async () => {
    const { store, executor } = await damaged();
    const id = randomId();
    await store.append('counter-b', 'none', [{ id, type: 'Painted', data: {}, metadata: {} }]);
    await quarantineAt(store, { eventId: id, stream: 'counter-b', revision: 0 });
    expect(await executor.load(counter, 'b')).toMatchObject({ state: { total: 0 }, revision: 0, events: [] });
    await executor.execute(counter, 'b', causeOf(), () => [Counted({ by: 5 })]);
    expect(await executor.load(counter, 'b')).toMatchObject({ state: { total: 5 }, revision: 1 });
  });

  test('is not mistaken for another with the same id, at another place', async () => {
    const { store, executor, place } = await damaged();
    await store.append('counter-b', 'none', [{ id: place.eventId, type: 'Painted', data: {}, metadata: {} }]);
    await quarantineAt(store, place);
    expect(await executor.load(counter, 'a')).toMatchObject({ revision: 1 });
    expect(await rejection(executor.load(counter, 'b'))).toBeInstanceOf(EventUndecodable);
  });

  test('in the quarantine itself is passed over, so that other events can be quarantined', async () => {
    const { store, reader, executor, place } = await damaged();
    await store.append(QUARANTINE_STREAM, 'none', [
      { id: randomId(), type: 'EventQuarantined', data: { nonsense: true }, metadata: {} },
    ]);
    await quarantineAt(store, place);
    expect(await executor.load(counter, 'a')).toMatchObject({ revision: 1 });
    expect(reader.quarantined()).toMatchObject([place]);
  });

  test('is decoded once for all, and skipped all the same once it is quarantined', async () => {
    const { store, place } = await damaged('Counted');
    const [good] = (await wholeLog(store)) as [RecordedEvent];
    const whole = createEventCodec([counter, quarantine]);
    let times = 0;
    const decode = (stored: RecordedEvent) => {
      times += 1;
      return whole.decode(stored);
    };
    const reader = createEventReader({ store, codec: { ...whole, decode }, logger: silentLogger });
    expect(reader.readNow(good)).toBe(reader.readNow(good));
    expect(await reader.read(good)).toBe(reader.readNow(good));
    expect(times).toBe(1);
    expect(reader.readNow({ ...good })).toEqual(reader.readNow(good));
    expect(times).toBe(2);

    await quarantineAt(store, { ...place, eventId: good.id, revision: good.revision });
    await reader.refresh();
    expect(reader.readNow(good)).toBeUndefined();
  });
});

describe('reading in order', () => {
  test('gives what is before the first undecodable event, and names that one', async () => {
    const { store, reader, place } = await damaged();
    const events = await wholeLog(store);
    const { recorded, passed, undecodable } = await readInOrder(reader, [...events, ...events], () => true);
    expect(recorded.map(({ type }) => type)).toEqual(['Counted']);
    expect(passed).toEqual(events.slice(0, 1));
    expect(undecodable?.event).toMatchObject(place);
  });

  test('does not decode what nobody wants', async () => {
    const { store, reader } = await damaged();
    const events = await wholeLog(store);
    const { recorded, passed, undecodable } = await readInOrder(reader, events, (type) => type === 'Counted');
    expect(recorded.map(({ type }) => type)).toEqual(['Counted']);
    expect([passed, undecodable]).toEqual([events, undefined]);
    expect(reader.undecodable()).toEqual([]);
  });
});

test('a wait ends as soon as something is quarantined', async () => {
  const { store, reader, place } = await damaged();
  const waiting = reader.pause(3_600_000, new AbortController().signal);
  await quarantineAt(store, place);
  await reader.refresh();
  await expect(waiting).resolves.toBeUndefined();
});
