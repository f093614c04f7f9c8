/** Distributions against the real process while everything around an open run changes: what its settings say, who holds, what the chain takes. */
import { createHash } from 'node:crypto';
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
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

const NO_TOKENS = { developer: '0', holders: '0' };
/** Long enough to halt a run between its allotment and the first payment. */
const ANNOUNCING = { ...DISTRIBUTION_ENVIRONMENT, DISTRIBUTION_ANNOUNCE: '5s' };

function rowOf(payments: readonly Payment[], wallet: string, kind: Payment['kind'] = 'holder'): Payment {
  const row = payments.find((payment) => payment.wallet === wallet && payment.kind === kind);
  if (row === undefined) throw new Error(`${wallet} is not in the ledger as ${kind}`);
  return row;
}

/** Halts the run when it has decided who gets how much; what it gives takes the halt back. */
async function haltAnnounced(journey: DistributionJourney, number: number) {
  const run = await journey.announcedRun(number);
  await journey.operate(`distributions/${journey.tokenId}/halt`);
  expect(run.transactions.open).toEqual([]);
  return { run, resume: () => journey.operate(`distributions/${journey.tokenId}/resume`) };
}

test.concurrent('what creator and operators change in mid-run counts from the next run on, and a halt stops it between two transactions', async () => {
  const service = await startServiceProcess(ANNOUNCING);
  const journey = await openDistributionJourney(service, { holders: 20 });
  const poor = addressOfKey(Keypair.generate());
  await journey.spread([poor], () => 1_000_000_000_000n);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  const settings = (json: object) =>
    creatorOf(journey).call('PATCH', `/distribution/${journey.tokenId}/settings`, { json });

  await journey.askForRun();
  const { run, resume } = await haltAnnounced(journey, 1);
  const { sha256 } = run.ledger;
  const { bytes } = await journey.client().call('GET', `/files/${sha256}`);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);

  await settings({ burnPercent: 50, rewardToken: 'SELF', distributionEnabled: false });
  await journey.operate(`tokens/${journey.mint}/hide`);
  await journey.untilFinal();
  expect([...(await journey.lamportsOf(wallets)).values()]).toEqual(wallets.map(() => 0n));
  await resume();
  await eventually('the hidden run is closed', async () => {
    const { distributions } = await journey
      .client()
      .ask<{ distributions: readonly { lastClosedAt: string | null }[] }>('GET', '/operator/distributions', {
        operatorKey: OPERATOR_KEY,
      });
    return distributions[0]?.lastClosedAt !== null;
  });
  await journey.operate(`tokens/${journey.mint}/show`);

  const first = await journey.closedRun(1);
  expect(first).toMatchObject({ asset: 'sol', settings: { rewardToken: 'SOL', burnPercent: 10 } });
  expect(BigInt(first.amounts.burned)).toBe(BigInt(first.amounts.collected) / 10n);
  const earlier = await expectAllToAgree(journey);
  await expectPaidOnChain(journey, earlier, wallets);
  const owed = rowOf(earlier, poor);
  expect(owed).toMatchObject({ reason: 'under-rent-floor', paid: '0' });

  expect((await journey.tax()).waitingFor.code).toBe('disabled');
  await expect(journey.askForRun()).rejects.toThrow('DISTRIBUTION_DISABLED');
  await settings({ distributionEnabled: true });
  await journey.spread(wallets.slice(0, 1), () => 20_000_000_000_000n);
  await journey.askForRun();
  const second = await journey.closedRun(2);
  expect(second).toMatchObject({ asset: 'token', settings: { rewardToken: 'SELF', burnPercent: 50 } });
  // What the sale of the first run was taxed comes back, and is not burned again.
  const ofSale = first.amounts.ownTax?.after ?? NO_TOKENS;
  const sold = BigInt(first.amounts.soldParts.developer) + BigInt(first.amounts.soldParts.holders);
  const back = BigInt(ofSale.developer) + BigInt(ofSale.holders);
  expect(back).toBeGreaterThan(0n);
  // 3.5 %, rounded up.
  expect(back).toBe((sold * 35n + 999n) / 1_000n);
  expect(second.amounts.ownTax).toEqual({ before: ofSale, returned: ofSale, after: NO_TOKENS });
  expect(BigInt(second.amounts.burned)).toBe((BigInt(second.amounts.collected) - back) / 2n);
  const all = await expectAllToAgree(journey);
  await expectNothingFound(journey);
  // What is owed in SOL stays owed in SOL.
  expect(rowOf(all.slice(earlier.length), poor, 'debt')).toMatchObject({
    asset: 'sol',
    owedBefore: owed.owedAfter,
    owedAfter: owed.owedAfter,
  });
});
