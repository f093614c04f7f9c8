/** Whole runs of many holders: everybody is paid, each account on the chain has what the ledger says. */
import { expect, test, vi } from 'vitest';
import {
  addressOfKey,
  DISTRIBUTION_ENVIRONMENT,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../../support/distribution-journey.ts';
import { startServiceProcess } from '../../support/service-process.ts';

vi.setConfig({ testTimeout: 400_000 });

test.each([
  { holders: 1_000, amount: 900_000_000_000n, pots: 9 },
  // At a price at which each share is worth more than the rent of a wallet.
  { holders: 10_000, amount: 90_000_000_000n, pots: 50, marketCap: 1_000_000_000_000n },
])('$holders holders are paid from $pots pots', async ({ holders, amount, pots, marketCap }) => {
  const service = await startServiceProcess(
    DISTRIBUTION_ENVIRONMENT,
    marketCap === undefined ? {} : { constants: { deskMarketCap: marketCap } },
  );
  const journey = await openDistributionJourney(service, {
    holders,
    amountOf: (index) => amount + BigInt(index) * 7_001n,
  });
  await journey.askForRun();
  const run = await journey.closedRun(1, { seconds: 200 });
  expect(run.pots).toHaveLength(pots);
  // The creator, the holders, the developer and the distributor.
  expect(run.paymentCount).toBe(holders + 3);
  const payments = await expectAllToAgree(journey);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  await expectPaidOnChain(journey, payments, wallets);
  await expectNothingFound(journey);
});
