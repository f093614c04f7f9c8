// The stand-in for EventStoreDB must cost little, or it hides what a benchmark measures of the service.
import { expect, test } from 'vitest';
import { StandInLog, textRecord } from '../../support/event-store-stand-in/log.ts';
import { eventFrame } from '../../support/event-store-stand-in/messages.ts';

test('a place in a long log is found by looking at few records', () => {
  const log = new StandInLog();
  for (let index = 0; index < 10_000; index += 1)
    log.write(`thing-${index}`, 'none', [textRecord('T', '{}')]);
  const { records } = log;
  let looks = 0;
  const counted = new Proxy(records, {
    get(target, name, receiver) {
      if (/^\d+$/.test(String(name))) looks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  Object.defineProperty(log, 'records', { value: counted });
  for (const index of [0, 1, 4_321, 9_999]) {
    const position = records[index]?.position ?? -1n;
    expect(log.indexAt(position)).toBe(index);
    expect(log.indexAt(position + 1n)).toBe(index + 1);
  }
  expect(looks / 8).toBeLessThan(20);
});

test('a record is encoded once, however many it is sent to', () => {
  const log = new StandInLog();
  log.write('thing-1', 'none', [textRecord('T', '{}')]);
  const record = log.records.at(-1);
  if (record === undefined) throw new Error('it was written');
  expect(eventFrame(record)).toBe(eventFrame(record));
});
