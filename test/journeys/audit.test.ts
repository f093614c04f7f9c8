// An audit of a real distribution: a clean log gives no finding, and each seeded fault is found and named.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { distributionRuns } from '../../src/projections/distribution-runs.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { type ChainProxy, openChainProxy } from '../support/chain-proxy.ts';
import {
  type ClosedRun,
  DISTRIBUTION_ENVIRONMENT,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { LEVY } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

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
  const ofDocuments = statements.filter((statement) => statement.includes('.documents"'));
  inDatabase(join(folder, 'levy-read-model.db'), ofDocuments);
  inDatabase(
    join(folder, 'levy.db'),
    statements.filter((statement) => !ofDocuments.includes(statement)),
  );
  return folder;
}

function inDatabase(file: string, statements: readonly string[]): void {
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** Contents of the folder, by file name. */
async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    contents.set(
      path,
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  }
  return contents;
}

const checksOf = ({ findings }: AuditReport) =>
  new Set(findings.map(({ group, check }) => `${group}/${check}`));

test('a clean log gives no finding, and is left as it is', async () => {
  const before = await contentsOf(clean);
  const { code, report } = await audited(clean);
  expect(await contentsOf(clean)).toEqual(before);
  expect(report.checks.map(({ check, outcome }) => [check, outcome])).not.toContainEqual([
    expect.anything(),
    'skipped',
  ]);
  expect(report.findings).toEqual([]);
  expect(report.unchecked).toEqual([]);
  expect(code).toBe(0);
});

test.each<[string, string, readonly string[]]>([
  ['an event that was dropped', 'log/revisions', ["DELETE FROM events WHERE type = 'SubmissionConfirmed'"]],
  [
    'a tax that differs on the chain',
    'chain/mints',
    [
      "UPDATE events SET data = json_set(data, '$.token.transferFeeBasisPoints', 7) WHERE type = 'TokenCreated'",
    ],
  ],
  [
    'a figure that nothing else depends on',
    'log/transparency',
    ["UPDATE events SET data = json_set(data, '$.harvested', 7) WHERE type = 'TaxCollected'"],
  ],
  [
    'a document that lies',
    'read-models/documents',
    [
      `UPDATE "distribution_runs_v${distributionRuns.version}.documents" SET document = replace(document, '"collected":"', '"collected":"1')`,
    ],
  ],
  [
    'a sum that was changed',
    'ledgers/rules',
    ["UPDATE events SET data = json_set(data, '$.amounts.collected', '7') WHERE type = 'RunClosed'"],
  ],
])('%s is found and named', async (_what, check, statements) => {
  const { code, report } = await audited(await tampered(...statements));
  expect(checksOf(report)).toContain(check);
  const finding = report.findings.find((one) => `${one.group}/${one.check}` === check);
  expect(finding?.event?.id).toMatch(/^[0-9a-f-]{36}$/);
  if (check.startsWith('read-models'))
    expect(finding).toMatchObject({
      what: `the document ${run.runId} of distribution_runs differs in document`,
      event: { type: 'RunClosed' },
      document: { collection: 'distribution_runs', key: run.runId },
      runId: run.runId,
    });
  expect(code).toBe(1);
});

describe('of a running service', () => {
  let service: ServiceProcess;
  let node: ChainProxy;
  let key: string;

  beforeAll(async () => {
    const folder = await tampered();
    service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT, { folder });
    node = await openChainProxy(service.chainUrl);
    key = join(await folderForTheFile(), 'operator-key');
    await writeFile(key, OPERATOR_KEY, { mode: 0o600 });
  });

  const ofService = (...more: readonly string[]) =>
    audited(service.folder, '--service', service.url, '--operator-key-file', key, ...more);

  test('the same is found: nothing, and documents are left out', async () => {
    const { code, report } = await ofService('--chain', node.url);
    expect(report.findings).toEqual([]);
    expect(report.unchecked).toEqual([]);
    expect(report.checks.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)).toEqual([
      'documents',
    ]);
    expect(code).toBe(0);
  });

  test('its embedded chain is not copied while it runs', async () => {
    await expect(ofService()).rejects.toThrow(/chain\.db is in use.*--chain/);
  });
});
