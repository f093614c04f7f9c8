/** Runs by a node that answers from before what it was asked for, and by one that leaves out accounts: nothing is lost, and nothing halts. */
import { PublicKey } from '@solana/web3.js';
import { TOKEN_PROGRAM } from 'levy-solana-wire';
import { expect, test, vi } from 'vitest';
import type { ChainProxy, Rule } from '../support/chain-proxy.ts';
import {
  addressOfKey,
  type DistributionJourney,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { openDistributionChain } from '../support/distribution-on-chain.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 300_000 });

interface Shown {
  readonly context: { readonly slot: number };
  readonly value: readonly ({ readonly owner: string } | null)[];
}

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

/** Leaves out accounts of wrapped SOL: tills, pots and the marker. */
function hide(isHidden: () => boolean): Rule {
  return ({ method }) =>
    method === 'getMultipleAccounts'
      ? {
          kind: 'retold',
          retell(result) {
            const { value, ...rest } = result as Shown;
            return {
              ...rest,
              value: value.map((account) =>
                account?.owner === TOKEN_PROGRAM && isHidden() ? null : account,
              ),
            };
          },
        }
      : undefined;
}

async function haltedWith(journey: DistributionJourney): Promise<string | undefined> {
  const { distributions } = await journey.client().ask<{
    distributions: readonly { tokenId: string; halted?: { code: string } | null }[];
  }>('GET', '/operator/distributions?state=halted', { operatorKey: OPERATOR_KEY });
  return distributions.find(({ tokenId }) => tokenId === journey.tokenId)?.halted?.code;
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

test('a run ends well although the node leaves out tills and pots at random', async () => {
  const { journey, proxy } = await openJourney();
  let number = 1;
  const random = () => {
    number = (number * 16_807) % 2_147_483_647;
    return number / 2_147_483_647;
  };
  const end = proxy.treat(hide(() => random() < 0.4));
  await journey.askForRun();
  const run = await journey.closedRun(1, { seconds: 120 });
  expect(run.status).toBe('completed');
  end();
  await expectRight(journey);
});

test('a run whose till is shown no more halts, but not at once', async () => {
  const { journey, proxy } = await openJourney();
  await journey.askForRun();
  await journey.closedRun(1);
  await trade(journey);
  proxy.treat(hide(() => true));
  const begun = performance.now();
  await journey.askForRun();
  expect(await eventually('the token is halted', () => haltedWith(journey), { seconds: 60 })).toBe(
    'CHAIN_AHEAD_OF_LOG',
  );
  expect(performance.now() - begun).toBeGreaterThan(10_000);
});
