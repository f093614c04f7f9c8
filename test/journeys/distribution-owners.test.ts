/** Owners whom a creator keeps out: nothing changes for a whole interval, then they earn nothing more, and the others get what would be theirs. */
import { Keypair } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import {
  addressOfKey,
  creatorOf,
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
  type Payment,
} from '../support/distribution-journey.ts';
import { runsLater } from '../support/later-clock.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

/** The shortest interval, and a bit. */
const LATER = 5 * 60_000 + 30_000;

async function holdersOf(
  journey: DistributionJourney,
  number: number,
): Promise<ReadonlyMap<string, Payment>> {
  const { runId } = await journey.closedRun(number);
  const payments = await journey.paymentsOf(runId);
  return new Map(
    payments.filter(({ kind }) => kind === 'holder').map((payment) => [payment.wallet, payment]),
  );
}

test('a wallet that is kept out earns nothing more one interval later; by the lesser of two scans a newcomer earns from its second run on', async () => {
  const environment = { ...DISTRIBUTION_ENVIRONMENT, DISTRIBUTION_HOLDING: 'least-of-two' };
  const first = await startServiceProcess(environment);
  const journey = await openDistributionJourney(first, {
    holders: 20,
    token: { distributionInterval: '5m' },
  });
  const [keptOut, other] = journey.holders.map(addressOfKey) as [string, string];
  await journey.askForRun();
  const before = await holdersOf(journey, 1);
  expect(before.get(keptOut)).toMatchObject({ reason: 'planned', owedAfter: '0' });

  const { status } = await creatorOf(journey).call('PUT', `/distribution/${journey.tokenId}/owners`, {
    json: { keptOut: [keptOut], listedIn: [] },
  });
  expect(status).toBe(200);
  const newcomer = Keypair.generate();
  await journey.spread([addressOfKey(newcomer)], () => 60_000_000_000_000n);
  await journey.askForRun();
  const notYet = await holdersOf(journey, 2);
  expect(notYet.get(keptOut)).toMatchObject({ reason: 'planned', owedAfter: '0' });
  expect(notYet.get(addressOfKey(newcomer))).toMatchObject({ reason: 'below-minimum-holding', share: '0' });
  await journey.trade(newcomer, journey.developer, 40_000_000_000_000n);
  await journey.untilFinal();
  await first.stop();

  const service = await startServiceProcess(environment, { folder: first.folder, program: runsLater(LATER) });
  journey.moveTo(service);
  // Its interval is over: the run is due, and nobody has to ask for it.
  const run = await journey.closedRun(3);
  expect(run).toMatchObject({ requested: false });
  const after = await holdersOf(journey, 3);
  expect(after.get(keptOut)).toMatchObject({
    reason: 'excluded-by-creator',
    share: '0',
    paid: '0',
    owedAfter: '0',
  });
  const shareOf = (holders: ReadonlyMap<string, Payment>, wallet: string) =>
    BigInt(holders.get(wallet)?.share ?? '0');
  expect(shareOf(after, other)).toBeGreaterThan(0n);
  // The lesser of what it had and what it has kept.
  const kept = await journey.tokensOf([addressOfKey(newcomer)]);
  expect(kept.get(addressOfKey(newcomer))).toBeLessThan(60_000_000_000_000n);
  expect(shareOf(after, addressOfKey(newcomer))).toBeGreaterThan(shareOf(after, other));
  const { allotted, holders, dust, dustAfter } = run.amounts;
  expect(BigInt(allotted)).toBe(BigInt(holders) + BigInt(dust) - BigInt(dustAfter));
  // Nothing is left but what does not divide: the others have the share of the one that is kept out.
  expect(BigInt(dustAfter)).toBeLessThan(BigInt(after.size) * 1_000n);

  const payments = await expectAllToAgree(journey);
  await expectNothingFound(journey);
  await expectPaidOnChain(journey, payments, journey.holders.map(addressOfKey));
});
