/** A node that stands still, and one that does not answer, in the middle of payments: said where operators look, and nothing is lost. */
import { expect, test, vi } from 'vitest';
import { freezeAnswers, swallowSends } from '../../support/chain-proxy.ts';
import {
  addressOfKey,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../../support/distribution-journey.ts';
import { openDistributionChain, whenPaying } from '../../support/distribution-on-chain.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_KEY } from '../../support/operator.ts';
import { startServiceProcess } from '../../support/service-process.ts';

vi.setConfig({ testTimeout: 180_000 });

interface Ready {
  readonly status: string;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly reason?: string;
    readonly unsettledBatches?: number;
  }[];
}

test('a run whose chain freezes goes on when it moves again', async () => {
  const { url, proxy, environment } = await openDistributionChain();
  const first = await startServiceProcess(environment);
  const journey = await openDistributionJourney({ url: first.url, chainUrl: url }, { holders: 40 });
  await journey.untilFinal();
  await first.stop();
  const service = await startServiceProcess(
    { ...environment },
    { folder: first.folder, constants: { chainStallMs: 2_000 } },
  );
  journey.moveTo({ url: service.url, chainUrl: url });
  const ready = async () => (await journey.client().call<Ready>('GET', '/ready')).body;
  const check = async (name: string) => (await ready()).checks.find((each) => each.name === name);
  const progress = async () => {
    const { distributions } = await journey.client().ask<{
      distributions: readonly {
        currentStep?: { step: string; waitingFor: { code: string; errorMessage: string | null } | null };
      }[];
    }>('GET', '/operator/distributions?state=running', { operatorKey: OPERATOR_KEY });
    return distributions[0]?.currentStep;
  };
  await eventually('the service is ready', async () => (await ready()).status === 'ready');

  const paying = whenPaying(proxy);
  await journey.askForRun();
  const letGo = await paying;
  // The node has lost its cluster: it takes what it is sent, and shows the same for ever.
  const thaw = [proxy.treat(freezeAnswers(url)), proxy.treat(swallowSends())];
  letGo({ kind: 'result', result: '1'.repeat(64) });
  await eventually('the node is said to stand still', async () => {
    const chain = await check('chain');
    return chain?.ok === false && chain.reason?.includes("the node's slot has not changed");
  });
  expect(await check('distributions')).toMatchObject({ unsettledBatches: 1 });
  expect(await progress()).toMatchObject({ step: 'pay', waitingFor: { code: 'finality' } });
  const { bytes } = await journey.client().call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
  expect(Buffer.from(bytes).toString()).toMatch(/^levy_distribution_unsettled_batches 1$/m);

  const answer = proxy.treat(() => ({ kind: 'cut' }));
  for (const end of thaw) end();
  await eventually('the run says that the node does not answer', async () => {
    const found = await progress();
    return found?.step === 'pay' && found.waitingFor?.code === 'chain-unavailable';
  });
  answer();

  const run = await journey.closedRun(1);
  expect(run.paymentCount).toBe(43);
  const payments = await expectAllToAgree(journey);
  await expectPaidOnChain(journey, payments, [...journey.holders.map(addressOfKey), journey.developer]);
  await expectNothingFound(journey);
  await eventually('the service is ready again', async () => (await ready()).status === 'ready');
});
