/**
 * Backups of a service that creates tokens and pays a distribution meanwhile, on its embedded chain: each is restored and
 * its log audited; and the service that goes on from the latest pays the run to its end, which a whole audit then proves.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { creatorWith } from '../support/creator.ts';
import { DISTRIBUTION_ENVIRONMENT, openDistributionJourney } from '../support/distribution-journey.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { runLevy } from '../support/run-levy.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';

const BACKUPS = Number(process.env.LEVY_BACKUPS ?? 3);
const TIMEOUT = 420_000 + BACKUPS * 60_000;
const HOLDERS = 20;

async function audited(folder: string, ...more: readonly string[]) {
  const environment = { ...TEST_ENVIRONMENT, ...DISTRIBUTION_ENVIRONMENT, DATA_DIR: folder };
  const { code, stdout, stderr } = await runLevy(['audit', '--json', ...more], environment);
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as AuditReport };
}

test(
  'backups under load are sound, and the latest one goes on with tokens, chain and run',
  async () => {
    const key = join(await folderForTheFile(), 'operator.key');
    await writeFile(key, `${OPERATOR_KEY}\n`, { mode: 0o600 });
    const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
    const journey = await openDistributionJourney(service, { holders: HOLDERS });
    let isOver = false;
    const load = (async () => {
      while (!isOver) await journey.creator.createToken();
    })();
    await journey.askForRun();
    const places: string[] = [];
    const parent = await folderForTheFile();
    for (let count = 0; count < BACKUPS; count += 1) {
      const place = join(parent, String(count));
      const args = ['backup', place, '--with-secrets', '--service', service.url, '--operator-key-file', key];
      const { code, stderr } = await runLevy(args, { DATA_DIR: service.folder });
      expect([code, stderr]).toEqual([0, expect.stringContaining('The backup contains the master seed')]);
      places.push(place);
    }
    isOver = true;
    await load;
    await service.stop('SIGKILL');

    let latest = '';
    let events = 0;
    for (const place of places) {
      latest = await folderForTheFile();
      const restored = await runLevy(['restore', place, '--json'], { DATA_DIR: latest });
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(restored.stdout)).toMatchObject({ hasSecrets: true, lacksChain: false });
      const { report } = await audited(latest, '--no-chain');
      expect(report.findings).toEqual([]);
      expect(report.checks.filter(({ group, outcome }) => group === 'log' && outcome !== 'held')).toEqual([]);
      expect(report.log.events).toBeGreaterThanOrEqual(events);
      events = report.log.events;
    }

    const second = await startServiceProcess(
      { ...DISTRIBUTION_ENVIRONMENT, LOG_ORIGIN: 'levy.example/log-2' },
      { folder: latest },
    );
    journey.moveTo(second);
    // The session is the one before: its key was in the backup.
    const { keypair, token } = journey.creator;
    const creator = creatorWith({ client: createClient(second.url), keypair, token });
    await creator.createToken({ name: 'After the restore' });
    await journey.closedRun(1, { seconds: 200 });
    await journey.untilFinal();
    await second.stop();
    const { code, report } = await audited(latest);
    expect(report.findings).toEqual([]);
    expect(report.unchecked).toEqual([]);
    expect(code).toBe(0);
  },
  TIMEOUT,
);
