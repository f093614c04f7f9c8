/** A whole run of a thousand holders: everybody is paid, each account on the chain has what the ledger says. */
import { expect, test, vi } from 'vitest';
import { expectAudited } from '../../support/audited-distribution.ts';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  expectBooksToAgree,
  expectPaidOnChain,
  openDistributionJourney,
} from '../../support/distribution-journey.ts';
import { startServiceProcess } from '../../support/service-process.ts';

vi.setConfig({ testTimeout: 300_000 });

test('a thousand holders are paid from several pots', async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const journey = await openDistributionJourney(service, {
    holders: 1_000,
    amountOf: (index) => 900_000_000_000n + BigInt(index) * 7_000_001n,
  });
  await journey.askForRun();
  const run = await journey.closedRun(1, { seconds: 120 });
  const payments = await journey.paymentsOf(run.runId);
  expectBooksToAgree(run, payments);
  expect(run.pots.length).toBeGreaterThan(1);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  await expectPaidOnChain(journey, payments, wallets);
  // The creator, the holders, the developer and the distributor.
  expect(run.walletsPaid).toBe(1_003);
  await expectAudited(journey);
});
