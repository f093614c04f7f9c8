// Counts the event store calls of a distribution run, so that waiting for the chain never reads the log.
import { expect, test, vi } from 'vitest';
import { countedStoreCalls, expectAtMost, sumOf } from '../support/counted-store-calls.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  fundHolders,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { openTestService } from '../support/service.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a run reads the log when it records, and not each time that it looks at the chain', async () => {
  const counted = await countedStoreCalls();
  const running = await openTestService({ ...DISTRIBUTION_ENVIRONMENT, EVENT_STORE_URL: counted.url });
  const journey = await openDistributionJourney(running, { holders: 12 });
  await fundHolders(running, journey.holders);
  await journey.askForRun();
  counted.forget();
  await journey.closedRun(1);
  const appends = sumOf(counted.appends);
  expect(appends).toBeGreaterThan(5);
  expectAtMost(`reads of a run with ${appends} appends`, 45, counted.reads);
});
