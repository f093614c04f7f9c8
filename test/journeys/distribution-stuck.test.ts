/** A run that cannot continue: the reason is reported to operators and holders, also after a restart, until its cause is removed. */
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  addressOfKey,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { openDistributionChain } from '../support/distribution-on-chain.ts';
import { eventually } from '../support/eventually.ts';
import { readExposition } from '../support/exposition.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

interface Ready {
  readonly status: string;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly tokenId?: string;
    readonly code?: string;
  }[];
}

interface ShownRun {
  readonly status: string;
  readonly step: string | null;
  readonly since: string | null;
  readonly waitingFor: { readonly code: string; readonly detail: string; readonly since: string } | null;
}

test('a ledger that is missing is told with the token, everywhere, until it is there again', async () => {
  const { url: chainUrl, environment } = await openDistributionChain();
  const first = await startServiceProcess(environment);
  const { folder } = first;
  const journey = await openDistributionJourney({ url: first.url, chainUrl }, { holders: 40 });
  await first.stop();
  const start = async (announce: string) => {
    const service = await startServiceProcess(
      { ...environment, DISTRIBUTION_ANNOUNCE: announce },
      { folder },
    );
    journey.moveTo({ url: service.url, chainUrl });
    return service;
  };
  const ready = async () => {
    const { status, body } = await journey.client().call<Ready>('GET', '/ready');
    return { httpStatus: status, ...body };
  };
  const shown = async (runId: string) =>
    (await journey.client().ask<{ run: ShownRun }>('GET', `/distribution/${journey.tokenId}/runs/${runId}`))
      .run;
  const listed = async () => {
    const { distributions } = await journey.client().ask<{
      distributions: readonly { currentStep?: object }[];
    }>('GET', '/operator/distributions?state=running', { operatorKey: OPERATOR_KEY });
    return distributions[0]?.currentStep;
  };
  const measured = async () => {
    const { bytes } = await journey.client().call('GET', '/metrics', { operatorKey: OPERATOR_KEY });
    return readExposition(Buffer.from(bytes).toString());
  };

  const before = await start('6s');
  await journey.askForRun();
  const { runId, ledger } = await journey.announcedRun(1);
  expect(await shown(runId)).toMatchObject({ step: 'announce', waitingFor: { code: 'scheduled' } });
  await before.stop();
  const file = await fileOf(folder, ledger.sha256);
  await rename(file, `${file}.away`);

  const stuck = await start('6s');
  const told = await eventually('the run says that it is stuck', async () => {
    const run = await shown(runId);
    return run.step === 'pay' && run.waitingFor?.code === 'record-unreadable' && run;
  });
  expect(told).toMatchObject({
    status: 'open',
    waitingFor: { detail: 'A recorded event or a ledger that the run needs is missing or cannot be read.' },
  });
  expect(JSON.stringify(told.waitingFor)).not.toContain(ledger.sha256);
  const degraded = await eventually('the service is degraded', async () => {
    const found = await ready();
    return found.status === 'degraded' && found;
  });
  expect(degraded.httpStatus).toBe(200);
  expect(degraded.checks.filter(({ ok }) => !ok)).toMatchObject([
    { name: 'stuck distribution', tokenId: journey.tokenId, code: 'record-unreadable' },
  ]);
  expect(await listed()).toMatchObject({
    step: 'pay',
    since: told.since,
    waitingFor: {
      code: 'record-unreadable',
      since: told.waitingFor?.since,
      errorMessage: expect.stringContaining(ledger.sha256),
    },
  });
  const { value } = await measured();
  expect(value('levy_distribution_open_runs', { step: 'pay' })).toBe(1);
  expect(value('levy_distribution_stuck_runs')).toBe(1);
  expect(
    value('levy_distribution_waiting_seconds', { code: 'record-unreadable', kind: 'fault' }),
  ).toBeGreaterThanOrEqual(0);
  const { stderr } = await stuck.stop();
  expect(linesOf(stderr, 'distribution waits')).toEqual([
    expect.objectContaining({ tokenId: journey.tokenId, step: 'pay', code: 'record-unreadable' }),
  ]);

  // Another start: nothing has moved since, and nothing looks fresh.
  const ageAtStop = Date.now() - Date.parse(told.since ?? '');
  const again = await start('6s');
  const later = await eventually('the run says so again', async () => {
    const run = await shown(runId);
    return run.waitingFor?.code === 'record-unreadable' && run;
  });
  expect(later.since).toBe(told.since);
  expect(Date.parse(later.waitingFor?.since ?? '')).toBeLessThanOrEqual(
    Date.parse(told.waitingFor?.since ?? ''),
  );
  const age = (await measured()).value('levy_distribution_step_age_seconds', { step: 'pay' });
  expect(age).toBeGreaterThanOrEqual(ageAtStop / 1_000);

  await rename(`${file}.away`, file);
  const closed = await journey.closedRun(1);
  expect(closed.paymentCount).toBe(43);
  expect(await shown(runId)).toMatchObject({
    status: 'completed',
    step: null,
    since: null,
    waitingFor: null,
  });
  await eventually('the service is well', async () => (await ready()).status === 'ready');
  expect((await measured()).value('levy_distribution_stuck_runs')).toBe(0);
  const payments = await expectAllToAgree(journey);
  await expectPaidOnChain(journey, payments, [...journey.holders.map(addressOfKey), journey.developer]);
  await expectNothingFound(journey);
  const ended = await again.stop();
  expect(linesOf(ended.stderr, 'distribution continues')).toEqual([
    expect.objectContaining({
      tokenId: journey.tokenId,
      code: 'record-unreadable',
      afterSeconds: expect.any(Number),
    }),
  ]);
});

async function fileOf(folder: string, sha256: string): Promise<string> {
  const found = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(sha256));
  expect(found).toHaveLength(1);
  return join(folder, found[0] ?? '');
}

function linesOf(stderr: string, message: string): readonly object[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { msg: string } => JSON.parse(line))
    .filter(({ msg }) => msg === message);
}
