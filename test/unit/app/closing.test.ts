// What was opened last is closed first, and whatever fails, the rest is closed.
import { expect, test } from 'vitest';
import { createClosing } from '../../../src/app/closing.ts';

test('parts are closed once, the last one first, and the first failure is told when all are closed', async () => {
  const { whenClosing, close } = createClosing();
  const closed: string[] = [];
  for (const name of ['store', 'broken', 'server'])
    whenClosing(async () => {
      closed.push(name);
      if (name === 'broken') throw new Error('it does not close');
    });
  await expect(close()).rejects.toThrow('it does not close');
  await close();
  expect(closed).toEqual(['server', 'broken', 'store']);
});
