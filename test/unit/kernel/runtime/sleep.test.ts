// A pause ends when its time is over, or at once when it is no longer wanted.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sleep } from '../../../../src/kernel/runtime/sleep.ts';

test('a dozen pauses end together with what they wait on, and nobody takes them for a leak', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => void warnings.push(name);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const stopping = new AbortController();
  const pauses = Array.from({ length: 12 }, () => sleep(60_000, stopping.signal));
  stopping.abort();
  await Promise.all(pauses);
  await nextTurn();
  expect(warnings).toEqual([]);
});
