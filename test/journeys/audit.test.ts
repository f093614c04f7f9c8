// An audit of a real distribution: a clean log gives no finding, and each seeded fault is found and named.
import { spawn } from 'node:child_process';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test, vi } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import type { AuditReport } from '../../src/audit/report.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import {
  type ClosedRun,
  DISTRIBUTION_ENVIRONMENT,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const LEVY = fileURLToPath(new URL('../../dist/cli/levy.js', import.meta.url));

let clean: string;
let run: ClosedRun;

beforeAll(async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const journey = await openDistributionJourney(service, { holders: 3 });
  await journey.askForRun();
  run = await journey.closedRun(1);
  await journey.untilFinal();
  await service.stop();
  clean = service.folder;
});

async function audited(folder: string, ...more: readonly string[]) {
  const child = spawn(process.execPath, [LEVY, '--json', 'audit', ...more], {
    env: { PATH: process.env.PATH, ...TEST_ENVIRONMENT, ...DISTRIBUTION_ENVIRONMENT, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as AuditReport };
}

/** A copy of everything, changed. */
async function tampered(...statements: readonly string[]): Promise<string> {
  const folder = join(await folderForTheFile(), 'copy');
  await cp(clean, folder, { recursive: true });
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  for (const statement of statements) database.execute(statement);
  await database.close();
  return folder;
}

const checksOf = ({ findings }: AuditReport) =>
  new Set(findings.map(({ group, check }) => `${group}/${check}`));

test('a clean log gives no finding', async () => {
  const { code, report } = await audited(clean);
  expect(report.findings).toEqual([]);
  expect(report.couldNotLook).toEqual([]);
  expect(code).toBe(0);
});

test.each<[string, string, readonly string[]]>([
  ['an event that was dropped', 'log/revisions', ["DELETE FROM events WHERE type = 'SubmissionConfirmed'"]],
  [
    'an event that was doubled',
    'log/ids',
    [
      "INSERT INTO events (stream, category, revision, id, type, data, metadata) SELECT stream, category, revision + 1, id, type, data, metadata FROM events WHERE type = 'RunClosed'",
    ],
  ],
  [
    'two events that were swapped',
    'log/order',
    [
      "CREATE TEMP TABLE pair AS SELECT * FROM events WHERE type IN ('SubmissionAccepted', 'DraftIssued')",
      "UPDATE events SET (id, type, data, metadata) = (SELECT id, type, data, metadata FROM pair WHERE pair.type = 'SubmissionAccepted') WHERE type = 'DraftIssued'",
      "UPDATE events SET (id, type, data, metadata) = (SELECT id, type, data, metadata FROM pair WHERE pair.type = 'DraftIssued') WHERE position = (SELECT position FROM pair WHERE pair.type = 'SubmissionAccepted')",
    ],
  ],
  [
    'a tax that differs on the chain',
    'chain/mints',
    [
      "UPDATE events SET data = json_set(data, '$.token.transferFeeBasisPoints', 7) WHERE type = 'TokenCreated'",
    ],
  ],
  [
    'a setting that somebody else changed',
    'promises/pinned-settings',
    ["UPDATE events SET data = json_set(data, '$.settings.burnBasisPoints', 7) WHERE type = 'RunOpened'"],
  ],
  [
    'a sum that was changed',
    'ledgers/payments',
    ["UPDATE events SET data = json_set(data, '$.amounts.collected', '7') WHERE type = 'RunClosed'"],
  ],
])('%s is found and named', async (_what, check, statements) => {
  const { code, report } = await audited(await tampered(...statements));
  expect(checksOf(report)).toContain(check);
  const finding = report.findings.find((one) => `${one.group}/${one.check}` === check);
  expect(finding?.event?.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(code).toBe(1);
});

test('a ledger file that was replaced is found and named', async () => {
  const folder = await tampered();
  const files = await readdir(folder, { recursive: true });
  const ledger = files.find((file) => file.endsWith(run.ledger.sha256));
  if (ledger === undefined) throw new Error(`no ledger among ${files.join(' ')}`);
  await rm(join(folder, ledger));
  await writeFile(join(folder, ledger), 'something else');
  const { code, report } = await audited(folder);
  expect(checksOf(report)).toContain('ledgers/files');
  expect(report.findings[0]?.found).toContain(run.ledger.sha256);
  expect(code).toBe(1);
});
