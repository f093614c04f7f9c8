/** The demo goes well to its end, although it kills its service in the middle. */
import { expect, test, vi } from 'vitest';
import { runDemo } from '../support/running-demo.ts';

vi.setConfig({ testTimeout: 180_000 });

test('the demo goes well to its end', async () => {
  const told = await runDemo({});
  expect(told).toContain('everything held');
  // Once by the demo itself, in the middle of the second run.
  expect(told.match(/The service ended/g)).toHaveLength(1);
  expect(told.match(/wallets paid too often: 0, too little: 0/g)).toHaveLength(2);
  expect(told).toContain('verified offline');
});
