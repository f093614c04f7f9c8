// An audit of a real distribution: a clean log gives no finding, and each seeded fault is found and named.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBase58 } from 'levy-solana-wire';
import Database from 'libsql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { distributionRuns } from '../../src/projections/distribution-runs.ts';
import { tokens } from '../../src/projections/tokens.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { type ChainProxy, openChainProxy } from '../support/chain-proxy.ts';
import {
  type ClosedRun,
  DISTRIBUTION_ENVIRONMENT,
  openDistributionJourney,
  type Payment,
} from '../support/distribution-journey.ts';
import { LEVY } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let clean: string;
let run: ClosedRun;
let payments: readonly Payment[];
let mint: string;

beforeAll(async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const journey = await openDistributionJourney(service, { holders: 3 });
  await journey.askForRun();
  mint = journey.mint;
  run = await journey.closedRun(1);
  payments = await journey.paymentsOf(run.runId);
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

/** Of everything in the folder, by name. */
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

/** The first transaction that paid somebody. */
function payingSignature(): string {
  const signature = payments.find((payment) => payment.signature !== null)?.signature;
  if (signature === null || signature === undefined) throw new Error('nobody was paid');
  return signature;
}

/** As if it had never been sent. */
async function withoutPayment(folder: string, signature: string): Promise<void> {
  const its = `(SELECT sequence FROM transactions WHERE signature = ${hex(signature)})`;
  inDatabase(join(folder, 'chain', 'chain.db'), [
    `DELETE FROM address_transactions WHERE sequence = ${its}`,
    `DELETE FROM transactions WHERE sequence = ${its}`,
  ]);
}

/** The first event of a type. */
async function idOf(folder: string, type: string): Promise<string> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const [found] = database.read(() =>
    database.statement<[string]>('SELECT id FROM events WHERE type = ? ORDER BY position LIMIT 1').rows(type),
  );
  await database.close();
  if (found === undefined) throw new Error(`no ${type}`);
  return found[0];
}

const hex = (signature: string) => `x'${Buffer.from(fromBase58(signature) ?? []).toString('hex')}'`;

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

test('what is found is told though another program has written a thousand events and more', async () => {
  const folder = await tampered(
    `INSERT INTO events (stream, category, revision, id, type, data, metadata)
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
     SELECT 'foreign-' || n, 'foreign', 0, printf('%08x-0000-4000-8000-000000000000', n), 'thing-happened', '{}', '{}' FROM numbers`,
    `UPDATE "tokens_v${tokens.version}.documents" SET document = replace(document, '"name":"', '"name":"Another ')`,
  );
  await withoutPayment(folder, payingSignature());
  const { code, report } = await audited(folder);
  expect(report.findings[0]).toMatchObject({ check: 'payments', signature: payingSignature() });
  // The last event that changed it: a token shows what its runs paid.
  const id = await idOf(folder, 'RunClosed');
  expect(report.findings.find(({ check }) => check === 'documents')).toMatchObject({
    event: { id, type: 'RunClosed' },
    document: { collection: 'tokens' },
    runId: run.runId,
  });
  expect(report.checks.find(({ check }) => check === 'schema')).toMatchObject({ found: 1_200 });
  expect(report.findings.filter(({ check }) => check === 'schema')).toHaveLength(1_000);
  expect(code).toBe(1);
});

/** What a node says of accounts, with twice the tax in the mint at this place. */
function withOtherTax(result: unknown, place: number): unknown {
  const { value, ...rest } = result as { readonly value: readonly { readonly data: readonly string[] }[] };
  return {
    ...rest,
    value: value.map((account, index) => {
      if (index !== place) return account;
      const data = Buffer.from(account.data[0] ?? '', 'base64');
      // The extension's type and length stand before it.
      const config = data.indexOf(Buffer.of(1, 0, 108, 0)) + 4;
      for (const at of [72, 90]) {
        const basisPoints = config + at + 16;
        data.writeUInt16LE(2 * data.readUInt16LE(basisPoints), basisPoints);
      }
      return { ...account, data: [data.toString('base64'), 'base64'] };
    }),
  };
}

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

  test('what a node has deleted could not be looked at, and is no finding', async () => {
    const stop = [
      node.treat(({ method }) =>
        method === 'getFirstAvailableBlock' ? { kind: 'result', result: 2_000_000_000 } : undefined,
      ),
      node.treat(({ method }) =>
        method === 'getTransaction' ? { kind: 'result', result: null } : undefined,
      ),
      node.treat(({ method }) =>
        method === 'getSignaturesForAddress' ? { kind: 'result', result: [] } : undefined,
      ),
    ];
    const { code, report } = await ofService('--chain', node.url);
    for (const end of stop) end();
    expect(report.findings).toEqual([]);
    expect(new Set(report.unchecked.map(({ check }) => check))).toEqual(new Set(['submissions', 'payments']));
    expect(code).toBe(2);
  });

  test('a payment that was never made and a tax that differs on the chain are named with event, account and signature', async () => {
    const signature = payingSignature();
    const stop = [
      node.treat(({ method }) =>
        method === 'getSignaturesForAddress'
          ? {
              kind: 'retold',
              retell: (result) =>
                (result as readonly { readonly signature: string }[]).filter(
                  (one) => one.signature !== signature,
                ),
            }
          : undefined,
      ),
      node.treat(({ method, params }) =>
        method === 'getTransaction' && params[0] === signature ? { kind: 'result', result: null } : undefined,
      ),
      node.treat(({ method, params }) =>
        method === 'getMultipleAccounts' && (params[0] as readonly string[]).includes(mint)
          ? {
              kind: 'retold',
              retell: (result) => withOtherTax(result, (params[0] as readonly string[]).indexOf(mint)),
            }
          : undefined,
      ),
    ];
    const { code, report } = await ofService('--chain', node.url);
    for (const end of stop) end();
    expect(report.findings.find(({ check }) => check === 'payments')).toMatchObject({
      what: 'a recorded transaction is on the chain',
      event: { type: 'BatchesSettled' },
      account: run.pots[0]?.address,
      signature,
      runId: run.runId,
    });
    expect(report.findings.find(({ check }) => check === 'mints')).toMatchObject({
      what: 'a mint has the recorded tax',
      expected: '350 basis points',
      found: '700 basis points',
      event: { type: 'TokenCreated' },
      account: mint,
      signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/),
    });
    expect(code).toBe(1);
  });
});
