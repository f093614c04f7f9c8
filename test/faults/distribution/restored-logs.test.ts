/** A log put back from an older copy while the chain went on: a token's distribution continues only where it can prove what was paid. */
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { folderForTheFile } from '../../support/after-the-file.ts';
import { addressOfKey, DISTRIBUTION_ENVIRONMENT, findingsOf } from '../../support/distribution-journey.ts';
import { eventually } from '../../support/eventually.ts';
import { UNRECORDED_LINK } from '../../support/full-audit.ts';
import { openKilledJourney } from '../../support/killed-distribution.ts';
import { startServiceProcess } from '../../support/service-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 300_000 });

/** Halted, since the chain shows what the log does not know. */
const HALTED = ['CHAIN_AHEAD_OF_LOG', 'PAYMENT_UNKNOWN', 'POT_MISSING'];
/** The same plan was recorded again: what landed by it is settled, and the run is closed. */
const SETTLED = 'next-run';

async function copyLog(from: string, to: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(join(to, `levy.db${suffix}`), { force: true });
  for (const file of await readdir(from))
    if (file.startsWith('levy.db')) await cp(join(from, file), join(to, file));
}

/** `copiedAt` and `goesOnTo` are where the process is killed; undefined is an orderly end before and after the run. */
test.concurrent.each([
  ['before the first run', undefined, undefined],
  ['before the allotted run was paid', 'after:RunAllotted', undefined],
  ['before the pots that are open paid and were closed', 'after:LinksLanded:open', undefined],
  ['before the pots that are open paid', 'after:LinksLanded:open', 'before:LinksRecorded:close'],
  ['before the run was closed', 'before:RunClosed', undefined],
])('a log from %s', async (_moment, copiedAt, goesOnTo) => {
  const { journey, folder, untilKilled } = await openKilledJourney({ holders: 70 });
  const copy = await folderForTheFile();
  if (copiedAt !== undefined) await untilKilled({ at: copiedAt, begin: () => journey.askForRun() });
  await copyLog(folder, copy);

  if (goesOnTo !== undefined) await untilKilled({ at: goesOnTo });
  else {
    const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
    journey.moveTo(service);
    if (copiedAt === undefined) await journey.askForRun();
    await journey.closedRun(1);
    await service.stop();
  }

  await copyLog(copy, folder);
  journey.moveTo(await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder }));
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  const paid = await journey.lamportsOf(wallets);
  for (const [wallet, lamports] of paid) expect(lamports, wallet).toBeGreaterThan(0n);
  const brokenRules = async () => {
    const found = await findingsOf(journey);
    return found.filter(({ group }) => group === 'ledgers').map(({ what }) => what);
  };
  if (copiedAt === undefined) {
    expect(await brokenRules()).toContain(UNRECORDED_LINK);
    const [richest] = journey.holders;
    if (richest !== undefined) await journey.trade(richest, journey.developer, 1_000_000_000_000n);
    await journey.askForRun();
  }
  const ends =
    copiedAt === 'before:RunClosed' ? [SETTLED] : goesOnTo === undefined ? HALTED : [...HALTED, SETTLED];
  await eventually(
    'the token is halted, or its run closed',
    async () => {
      const { code } = (await journey.tax()).waitingFor;
      if (ends.includes(code)) return true;
      throw new Error(JSON.stringify([await journey.tax(), await journey.runs()]));
    },
    { seconds: 40 },
  );
  await journey.untilFinal();
  expect(await journey.lamportsOf(wallets)).toEqual(paid);
  const isSettled = (await journey.tax()).waitingFor.code === SETTLED;
  if (isSettled) expect(await brokenRules()).toEqual([]);
  else expect(await brokenRules()).toContain(UNRECORDED_LINK);
});
