// Parts are closed in the reverse order of opening, also if one of them fails.
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
