// The line that says how far long work has come.
import { expect, test } from 'vitest';
import { createProgressLine, progressText } from '../../../src/levy/progress-line.ts';

const work = { title: 'checking', unit: 'events' };

test('it tells how much is done, the rate and the time left', () => {
  expect(progressText({ ...work, done: 1_200, of: 5_000, seconds: 2 })).toBe(
    'checking: 1,200 of 5,000 events (24 %), 600/s, 7 s left',
  );
  expect(progressText({ ...work, done: 10, of: 1_000_000, seconds: 1 })).toContain('28 h left');
});

test('where the whole is not known, nor is the time left', () => {
  expect(progressText({ ...work, done: 50, seconds: 1 })).toBe('checking: 50 events, 50/s');
});

function lineOn(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const stream = { isTTY, columns: 20, write: (text: string) => written.push(text) > 0 };
  const line = createProgressLine({
    ...work,
    stream: stream as unknown as NodeJS.WriteStream,
    now: () => now,
  });
  return { line, written, pass: (milliseconds: number) => (now += milliseconds) };
}

test('on a terminal it is drawn some times a second, never wider than that, and can be taken away', () => {
  const { line, written, pass } = lineOn(true);
  line.at(1, 10);
  pass(250);
  line.at(2, 10);
  line.at(3, 10);
  line.clear();
  line.clear();
  expect(written).toEqual(['\rchecking: 2 of 10 e\x1b[K', '\r\x1b[K']);
});

test('in a pipe nothing is drawn', () => {
  const { line, written, pass } = lineOn(false);
  pass(1_000);
  line.at(2, 10);
  line.clear();
  expect(written).toEqual([]);
});
