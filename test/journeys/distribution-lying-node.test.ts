/** Runs by a node that answers from before what it was asked for, and by one that leaves out accounts: nothing is lost, and nothing halts. */
import { PublicKey } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import type { ChainProxy } from '../support/chain-proxy.ts';
import {
  addressOfKey,
  type DistributionJourney,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { openDistributionChain } from '../support/distribution-on-chain.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 300_000 });

async function openJourney(): Promise<{ readonly journey: DistributionJourney; readonly proxy: ChainProxy }> {
  const { url: chainUrl, proxy, environment } = await openDistributionChain();
  const first = await startServiceProcess(environment);
  const journey = await openDistributionJourney({ url: first.url, chainUrl }, { holders: 20 });
  await journey.untilFinal();
  await first.stop();
  const { url } = await startServiceProcess(environment, { folder: first.folder });
  journey.moveTo({ url, chainUrl });
  return { journey, proxy };
}

/** Tax is withheld of it. */
async function trade(journey: DistributionJourney): Promise<void> {
  const [from, to] = journey.holders;
  if (from === undefined || to === undefined) throw new Error('there are holders');
  await journey.trade(from, addressOfKey(to), 1_000_000_000_000n);
  await journey.untilFinal();
}

async function expectRight(journey: DistributionJourney): Promise<void> {
  const payments = await expectAllToAgree(journey);
  await expectPaidOnChain(journey, payments, [...journey.holders.map(addressOfKey), journey.developer]);
  await expectNothingFound(journey);
}

test('a run collects what is there, although the node shows an older balance whatever slot it is asked for', async () => {
  const { journey, proxy } = await openJourney();
  await journey.askForRun();
  await journey.closedRun(1);

  const { token } = await journey
    .client()
    .ask<{ token: { distributionWallet: string } }>('GET', `/tokens/${journey.mint}`);
  const tokens = journey.accountOf(token.distributionWallet).toBase58();
  const { context, value } = await journey
    .chain()
    .getAccountInfoAndContext(new PublicKey(tokens), 'finalized');
  expect(value).not.toBeNull();
  const old = {
    context,
    value: [
      value && { ...value, owner: value.owner.toBase58(), data: [value.data.toString('base64'), 'base64'] },
    ],
  };
  await trade(journey);

  let given = 0;
  proxy.treat(({ method, params: [addresses, config] }) => {
    if (method !== 'getMultipleAccounts' || given === 4) return undefined;
    const { minContextSlot = 0 } = config as { minContextSlot?: number };
    const isMeant = JSON.stringify(addresses) === JSON.stringify([tokens]) && minContextSlot > context.slot;
    if (!isMeant) return undefined;
    given += 1;
    return { kind: 'result', result: old };
  });
  await journey.askForRun();
  const run = await journey.closedRun(2);
  expect(BigInt(run.amounts.collected)).toBeGreaterThanOrEqual(20_000_000_000n);
  expect(given).toBe(4);
  await expectRight(journey);
});
