/** Audits of a service that goes on: tokens are created, runs are opened, paid and closed, and nothing is wrong at any moment. */
import { expect, test, vi } from 'vitest';
import { openCreator } from '../../support/creator.ts';
import { DISTRIBUTION_ENVIRONMENT, openDistributionJourney } from '../../support/distribution-journey.ts';
import { findingsIn } from '../../support/full-audit.ts';
import { startServiceProcess } from '../../support/service-process.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Paid in SOL and in the token by turns. */
const RUNS = 4;

test('audits of a service that goes on find nothing', async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const journey = await openDistributionJourney(service, { holders: 70 });
  const creator = await openCreator(service, { sol: 50 });
  let isOver = false;

  const distribute = async () => {
    for (let number = 1; number <= RUNS; number += 1) {
      await journey.askForRun();
      await journey.closedRun(number);
      const rewardToken = number % 2 === 1 ? 'SELF' : 'SOL';
      await journey.creator.call('PATCH', `/distribution/${journey.tokenId}/settings`, {
        json: { rewardToken },
      });
      for (const holder of journey.holders.slice(0, 5))
        await journey.trade(holder, journey.developer, 1_000_000_000_000n);
    }
    isOver = true;
  };
  const create = async () => {
    while (!isOver) await creator.createToken();
  };
  let audits = 0;
  const audit = async () => {
    for (; !isOver; audits += 1) expect(await findingsIn(service), `audit ${audits}`).toEqual([]);
  };
  try {
    await Promise.all([distribute(), create(), audit()]);
  } finally {
    isOver = true;
  }
  expect(audits).toBeGreaterThan(RUNS);
});
