/** An audit of a run that stands still anywhere: the chain is ahead of the log there, and nothing is wrong. */
import { expect, test, vi } from 'vitest';
import { DISTRIBUTION_ENVIRONMENT } from '../../support/distribution-journey.ts';
import { fullAudit } from '../../support/full-audit.ts';
import { openKilledJourney } from '../../support/killed-distribution.ts';
import { startServiceProcess } from '../../support/service-process.ts';

// Each test starts some thirty processes, one after another.
vi.setConfig({ testTimeout: 600_000 });

/** Answers, and pays nothing. */
const WATCHING = { ...DISTRIBUTION_ENVIRONMENT, ROLES: 'api,settler,notary' };

/** Where the service is killed: the chain has done what the log is about to say, or the log has just said it. */
const BEFORE_PAYMENTS = ['before:LinksLanded:split', 'before:LinksLanded:open', 'after:LinksLanded:open'];

test.concurrent.each([
  ['SOL', [...BEFORE_PAYMENTS, 'before:BatchesSettled', 'before:LinksLanded:close', 'before:RunClosed']],
  // Tokens are paid from the wallet's own account, which is not closed.
  ['SELF', [...BEFORE_PAYMENTS, 'before:BatchesSettled', 'before:RunClosed']],
])('an audit finds nothing wherever a run stands still, paid in %s', async (rewardToken, moments) => {
  const { journey, folder, untilKilled } = await openKilledJourney({ holders: 30, token: { rewardToken } });
  const audited = async () => {
    const service = await startServiceProcess(WATCHING, { folder });
    journey.moveTo(service);
    await journey.untilFinal();
    const report = await fullAudit(service);
    expect((await service.stop()).code).toBe(0);
    return report;
  };

  for (const number of [1, 2]) {
    for (const [index, at] of moments.entries()) {
      await untilKilled({ at, ...(index === 0 && { begin: () => journey.askForRun() }) });
      const { findings, couldNotLook } = await audited();
      expect(findings, `run ${number}, killed ${at}`).toEqual([]);
      expect(couldNotLook).toEqual([]);
    }
    const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
    journey.moveTo(service);
    await journey.closedRun(number);
    const [holder] = journey.holders;
    if (holder !== undefined) await journey.trade(holder, journey.developer, 1_000_000_000_000n);
    await journey.untilFinal();
    await service.stop();
    expect(await audited()).toMatchObject({ findings: [], couldNotLook: [] });
  }
});
