// The newest events stay in memory, within bounds, and are found by position.
import { expect, test } from 'vitest';
import { createEventBuffer } from '../../../../src/adapters/eventstoredb/event-buffer.ts';

function kept(most = { events: 3, bytes: 10 }) {
  const events = createEventBuffer<{ readonly position: string }>(most);
  events.startAt('10');
  return events;
}

const positions = (events: readonly { readonly position: string }[]) =>
  events.map(({ position }) => position);

test('nothing is known before the log is followed from somewhere', () => {
  const events = createEventBuffer<{ readonly position: string }>({ events: 3, bytes: 10 });
  expect([events.floor, events.position]).toEqual([undefined, undefined]);
  events.startAt('10');
  expect([events.floor, events.position]).toEqual(['10', '10']);
});

test('events are given after a position, which need not be that of one, and no more than asked for', () => {
  const events = kept();
  for (const position of ['12', '14', '16']) events.add({ position }, 1);
  expect(positions(events.after('10', 9))).toEqual(['12', '14', '16']);
  expect(positions(events.after('12', 9))).toEqual(['14', '16']);
  expect(positions(events.after('13', 1))).toEqual(['14']);
  expect(events.after('16', 9)).toEqual([]);
});

test('the oldest event makes room for one too many, and the floor says that it is gone', () => {
  const events = kept();
  for (const position of ['11', '12', '13', '14']) events.add({ position }, 1);
  expect([events.floor, events.position]).toEqual(['11', '14']);
  expect(positions(events.after('11', 9))).toEqual(['12', '13', '14']);
});

test('as many make room as one too large needs, which stays itself', () => {
  const events = kept();
  events.add({ position: '11' }, 4);
  events.add({ position: '12' }, 6);
  expect(events.floor).toBe('10');
  events.add({ position: '13' }, 5);
  expect(events.floor).toBe('12');
  events.add({ position: '14' }, 99);
  expect([events.floor, events.position]).toEqual(['13', '14']);
  expect(positions(events.after('13', 9))).toEqual(['14']);
  events.add({ position: '15' }, 10);
  expect(positions(events.after('14', 9))).toEqual(['15']);
});
