/** That a service which is backed up again and again does not grow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { growLog, wholeBackup } from '../support/backups.ts';
import { openTestService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;

test('200 backups leave the heap as large as it was', { timeout: 300_000 }, async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '0', LOG_LEVEL: 'info' });
  await growLog(service, MEGABYTE / 4);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => {
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return (heapUsed + external + arrayBuffers) / MEGABYTE;
  };
  /** What finalizers let go, and what is swept beside the work, is gone some turns of the event loop later. */
  async function heap(): Promise<number> {
    let least = held();
    for (let unchanged = 0; unchanged < 5; unchanged += 1) {
      await sleep(50);
      const now = held();
      if (now < least - 0.1) unchanged = -1;
      least = Math.min(least, now);
    }
    return least;
  }
  // Caches fill.
  for (let count = 0; count < 20; count += 1) await wholeBackup(service.url);
  // Other files of the suite run in this process and leave things of theirs; what backups held would grow in each quarter.
  const growth: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const before = await heap();
    for (let count = 0; count < 50; count += 1) await wholeBackup(service.url);
    growth.push((await heap()) - before);
  }
  expect(Math.min(...growth), growth.join(', ')).toBeLessThan(1.25);
});
