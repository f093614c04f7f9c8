/** A second node whose word is needed to close the books: while it is silent or disagrees, everybody is paid and the run stays open. */
import { expect, test, vi } from 'vitest';
import { openChainProxy } from '../support/chain-proxy.ts';
import {
  addressOfKey,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { openDistributionChain } from '../support/distribution-on-chain.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

interface Ready {
  readonly status: string;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly witness?: string;
    readonly reason?: string;
  }[];
}

test('books are closed only when the witness agrees, and its silence or its word is told until then', async () => {
  const { url: chainUrl, environment } = await openDistributionChain();
  const witness = await openChainProxy(chainUrl);
  const first = await startServiceProcess(environment);
  const journey = await openDistributionJourney({ url: first.url, chainUrl }, { holders: 20 });
  await first.stop();
  const { url } = await startServiceProcess(
    { ...environment, CHAIN_WITNESS_URL: witness.url },
    { folder: first.folder },
  );
  journey.moveTo({ url, chainUrl });
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  const ready = async () => (await journey.client().call<Ready>('GET', '/ready')).body;
  const distributions = async () => (await ready()).checks.find(({ name }) => name === 'distributions');
  const waitingFor = async () => {
    const running = await journey.client().ask<{
      distributions: readonly { currentStep?: { step: string; waitingFor: { code: string } | null } }[];
    }>('GET', '/operator/distributions?state=running', { operatorKey: OPERATOR_KEY });
    return running.distributions[0]?.currentStep;
  };
  const shownToHolders = async (runId: string | undefined) => {
    const page = await journey
      .client()
      .ask<{ run: { status: string; waitingFor: object | null } }>(
        'GET',
        `/distribution/${journey.tokenId}/runs/${runId}`,
      );
    return page.run;
  };
  const says = (state: string) =>
    eventually(`the witness is said to be ${state}`, async () => {
      const found = await distributions();
      return found?.witness === state && found;
    });

  let speak = witness.treat(() => ({ kind: 'cut' }));
  await journey.askForRun();
  expect(await says('silent')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('the witness does not respond'),
  });
  const [run] = await journey.runs();
  expect(run?.status).toBe('open');
  const payments = await journey.paymentsOf(run?.runId ?? '');
  // What is paid stands in the books; they are not closed, and everybody has it.
  const planned = payments.map((payment) => ({ ...payment, paid: payment.planned }));
  expect(planned.filter(({ paid }) => paid !== '0')).toHaveLength(23);
  await expectPaidOnChain(journey, planned, wallets);
  expect(await waitingFor()).toMatchObject({
    step: 'close',
    waitingFor: {
      code: 'unconfirmed',
      detail: expect.stringContaining('The second node does not answer'),
    },
  });

  expect(await shownToHolders(run?.runId)).toMatchObject({
    status: 'open',
    waitingFor: { code: 'unconfirmed', since: expect.any(String) },
  });

  // It answers, and has not seen the transactions.
  const behind = witness.treat(({ method, params }) =>
    method === 'getSignatureStatuses'
      ? {
          kind: 'result',
          result: { context: { slot: 1 }, value: (params[0] as readonly string[]).map(() => null) },
        }
      : undefined,
  );
  const stop = speak;
  speak = behind;
  stop();
  expect(await says('disagrees')).toMatchObject({
    ok: false,
    reason: expect.stringContaining(
      'the witness disagrees with the chain node: does not show the transaction',
    ),
  });
  expect((await ready()).status).toBe('not ready');
  expect((await journey.runs())[0]?.status).toBe('open');
  const { waitingFor: told } = await shownToHolders(run?.runId);
  expect(told).toMatchObject({ code: 'unconfirmed' });
  // What either node is called is nobody's business.
  expect(JSON.stringify(told)).not.toContain('127.0.0.1');

  speak();
  await journey.closedRun(1);
  expect(await shownToHolders(run?.runId)).toMatchObject({ status: 'completed', waitingFor: null });
  await expectPaidOnChain(journey, await expectAllToAgree(journey), wallets);
  await expectNothingFound(journey);
  expect(await says('agrees')).toMatchObject({ ok: true });
});
