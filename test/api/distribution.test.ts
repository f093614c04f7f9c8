/** A token's distribution over HTTP: its runs, payments with proofs, holders, tax and owners. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { leafHash, rootFromPath } from 'levy-transparency-log';
import { beforeAll, describe, expect, test } from 'vitest';
import { compareRecords } from '../../src/distribution/ledger/ledger-record.ts';
import { RunSkipped } from '../../src/streams/distribution.ts';
import type { LevyEvent } from '../../src/streams/index.ts';
import { type Answer, checkedFetch, type Problem } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { saleBasis, soldAtMarket, splitWithOwnTax } from '../support/distribution-examples.ts';
import { eventually } from '../support/eventually.ts';
import { type GeneratedRun, generateRuns } from '../support/generated-runs.ts';
import { ownerOf } from '../support/ledger-files.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { createRunRecorder, type RunRecorder } from '../support/recorded-runs.ts';
import { openTestService, type TestService } from '../support/service.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'private, no-cache';

interface Proved {
  readonly record: string;
  readonly proof: { readonly index: number; readonly treeSize: number; readonly path: readonly string[] };
}
interface Runs {
  readonly runs: readonly { readonly runId: string; readonly number: number; readonly status: string }[];
  readonly next: string | null;
}
interface Batches {
  readonly batches: readonly { readonly signature: string }[];
  readonly next: string | null;
}
interface StepShown {
  readonly begunAt: string;
  readonly endedAt: string | null;
  readonly batchCount: number;
  readonly transactions: readonly { readonly signature: string }[];
}
interface Payments {
  readonly payments: readonly { readonly index: number; readonly wallet: string }[];
  readonly next: number | null;
}

let service: TestService;
let owner: Creator;
let stranger: Creator;
let recorder: RunRecorder;
let token: SubmittedToken['token'];
let runs: readonly GeneratedRun[];
/** The last one, still open: everything but its closing is recorded. */
let open: GeneratedRun;
let closed: GeneratedRun;
let position: string;
let base: string;

beforeAll(async () => {
  // The runs are recorded by hand: no process works on them.
  service = await openTestService({ ROLES: 'api,projector,settler,publisher' });
  [owner, stranger] = await Promise.all([openCreator(service), openCreator(service, { sol: 0 })]);
  recorder = createRunRecorder(service);
  ({ token } = await owner.createToken());
  base = `/distribution/${token.id}`;
  runs = generateRuns(
    42,
    { tokenId: token.id, mint: token.mintAddress },
    { owners: 300, assets: ['sol', 'token', 'sol'] },
  );
  const [, second, last] = runs;
  if (second === undefined || last === undefined) throw new Error('three runs were made');
  [closed, open] = [second, last];
  for (const run of runs)
    position = await recorder.recordRun(token.id, run, ({ type }) => run !== open || type !== 'RunClosed');
  await get('/tax');
});

/** A token of its own, and a closed run of it that is not recorded yet. */
async function tokenWithRun(seed: number, owners = 3) {
  const { token } = await owner.createToken();
  const subject = { tokenId: token.id, mint: token.mintAddress };
  const [run] = generateRuns(seed, subject, { owners, assets: ['sol'] });
  if (run === undefined) throw new Error('a run was made');
  return { token, run };
}

const get = <Body>(path: string, headers: Readonly<Record<string, string>> = {}) =>
  owner.client.call<Body>('GET', `${base}${path}`, { headers: { 'x-after-position': position, ...headers } });
const tagOf = ({ headers }: Answer<unknown>): string => headers.get('etag') ?? '';
const cacheOf = ({ headers }: Answer<unknown>) => headers.get('cache-control');

function rootOf({ record, proof }: Proved): string {
  const path = proof.path.map((hash) => Buffer.from(hash, 'hex'));
  const root = rootFromPath(leafHash(Buffer.from(record, 'base64')), proof.index, proof.treeSize, path);
  return Buffer.from(root ?? []).toString('hex');
}

describe('the runs', () => {
  test('are listed newest first, a page at a time', async () => {
    const all = await get<Runs>('/runs');
    expect(all.body.runs.map(({ number, status }) => [number, status])).toEqual([
      [3, 'open'],
      [2, 'completed'],
      [1, 'completed'],
    ]);
    expect([all.body.next, cacheOf(all)]).toEqual([null, REVALIDATED]);
    const first = await get<Runs>('/runs?limit=2');
    expect(first.body).toEqual({ runs: all.body.runs.slice(0, 2), next: closed.runId });
    const second = await get<Runs>(`/runs?limit=2&after=${closed.runId}`);
    expect(second.body).toEqual({ runs: all.body.runs.slice(2), next: null });
  });

  test('have no page behind a run of another token', async () => {
    const { token: other } = await owner.createToken();
    const path = `/distribution/${other.id}/runs`;
    expect(await owner.client.ask<Runs>('GET', path)).toEqual({ runs: [], next: null });
    await owner.client.refusal('VALIDATION_FAILED', 'GET', `${path}?after=${closed.runId}`);
    await owner.client.refusal('RUN_NOT_FOUND', 'GET', `${path}/${closed.runId}`);
    for (const rest of ['payments', 'batches'])
      await owner.client.refusal('RUN_NOT_FOUND', 'GET', `${path}/${closed.runId}/${rest}`);
  });

  test('may be cached for ever once they are closed, and not before', async () => {
    for (const path of ['', '/batches', '/payments', `/payments/${ownerOf(3)}`]) {
      const [done, under] = [
        await get(`/runs/${closed.runId}${path}`),
        await get(`/runs/${open.runId}${path}`),
      ];
      expect([path, cacheOf(done), cacheOf(under)]).toEqual([path, IMMUTABLE, REVALIDATED]);
      for (const answer of [done, under]) expect(tagOf(answer)).toMatch(/^"[0-9a-f]{32}(?:-br|-gzip)?"$/);
      const again = await get(`/runs/${closed.runId}${path}`, { 'if-none-match': tagOf(done) });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
  });

  test('show settings, amounts, transactions, pots and files', async () => {
    const { run } = (await get<{ run: Record<string, unknown> }>(`/runs/${closed.runId}`)).body;
    expect(run).toMatchObject({
      runId: closed.runId,
      number: 2,
      status: 'completed',
      asset: 'token',
      rewardToken: 'SELF',
      settings: { burnPercent: 10, percentageToSellPerDistribution: 90 },
      amounts: closed.events.flatMap(({ event }) => {
        if (event.type !== 'RunClosed') return [];
        const { sold, shares, ...amounts } = event.data.amounts;
        return [{ ...amounts, soldParts: sold, allotted: shares }];
      })[0],
      ledger: {
        sha256: closed.allotment.sha256,
        settlementSha256: closed.settlement.sha256,
        url: `${service.url}/files/${closed.allotment.sha256}`,
        root: closed.allotment.root,
        records: closed.allotment.records.length,
      },
    });
    expect(run.settings).not.toHaveProperty('telegramGroupId');
    const { run: half } = (await get<{ run: Record<string, unknown> }>(`/runs/${open.runId}`)).body;
    expect(half).toMatchObject({
      closedAt: null,
      amounts: { owedAfter: null },
      ledger: { settlementSha256: null },
    });
  });
});

describe('the transactions of the payments of a run', () => {
  const path = () => `/runs/${closed.runId}/batches`;

  test('are as many as its steps say, and each step says when it was, by which transactions', async () => {
    const { run } = (
      await get<{ run: { steps: readonly StepShown[]; transactions: object } }>(`/runs/${closed.runId}`)
    ).body;
    const { batches } = (await get<Batches>(path())).body;
    expect(run.steps.reduce((sum, step) => sum + step.batchCount, 0)).toBe(batches.length);
    expect(run.steps.at(-1)?.endedAt).not.toBeNull();
    for (const [index, step] of run.steps.entries())
      expect(step.endedAt).toBe(run.steps[index + 1]?.begunAt ?? step.endedAt);
    const landed = run.steps.flatMap(({ transactions }) => transactions.map(({ signature }) => signature));
    expect(landed.sort()).toEqual(Object.values(run.transactions).flat().sort());
  });
});

describe('the payments of a run', () => {
  const path = () => `/runs/${closed.runId}/payments`;

  test('come by their place in the ledger, a page at a time', async () => {
    const { records } = closed.allotment;
    const payments = [];
    for (let after = ''; ; ) {
      const { body } = await get<Payments>(`${path()}?limit=250${after}`);
      payments.push(...body.payments);
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(payments.map(({ index, wallet }) => [index, wallet])).toEqual(
      records.map(({ owner: wallet }, index) => [index, wallet]),
    );
    expect((await get<Payments>(`${path()}?after=${records.length}`)).body).toEqual({
      payments: [],
      next: null,
    });
  });

  test('come as CSV where that is asked for, all of them', async () => {
    const asked = { headers: { accept: 'text/csv', 'x-after-position': position } };
    const answer = await fetch(`${service.url}${base}${path()}`, asked);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('cache-control')).toBe(IMMUTABLE);
    expect(answer.headers.get('vary')).toBe('Origin, Accept');
    const lines = (await answer.text()).split('\r\n');
    const { payments } = (await get<Payments>(`${path()}?limit=1000`)).body;
    expect(lines[0]).toBe(Object.keys(payments[0] ?? {}).join(','));
    expect(lines.slice(1, -1)).toEqual(
      payments.map((payment) =>
        Object.values(payment)
          .map((value) => value ?? '')
          .join(','),
      ),
    );
    const tag = answer.headers.get('etag') ?? '';
    expect(tag).not.toBe(tagOf(await get(path())));
    const again = await fetch(`${service.url}${base}${path()}`, {
      headers: { ...asked.headers, 'if-none-match': tag },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(`${service.url}${base}${path()}`, { method: 'HEAD', ...asked });
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  });

  test.each([
    ['text/csv', true],
    ['application/json, text/csv;q=0.5', false],
    ['*/*', false],
    ['text/*, application/json;q=0.9', true],
    [';;;q=,', false],
  ])('are CSV for Accept: %s if that is preferred: %s', async (accept, isCsv) => {
    const answer = await checkedFetch(`${service.url}${base}${path()}`, { headers: { accept } });
    expect(answer.headers.get('content-type')?.startsWith('text/csv')).toBe(isCsv);
  });

  test('show how the tax was sold: each try with what it was judged by, or why nothing was, and the tax of sales', async () => {
    const { token: other } = await owner.createToken();
    const runsOf = generateRuns(
      8,
      { tokenId: other.id, mint: other.mintAddress },
      { owners: 3, assets: ['sol', 'sol', 'token'] },
    );
    const [sold, unsold, inTokens] = runsOf;
    if (sold === undefined || unsold === undefined || inTokens === undefined)
      throw new Error('three runs were made');
    const { offers, tries } = soldAtMarket.data;
    const { ownTax } = splitWithOwnTax.data;
    const told: ReadonlyMap<GeneratedRun, object> = new Map([
      [sold, { offers, tries, ownTax }],
      [unsold, { offers: [], tries: 2, unsold: 'price-below-reference' }],
    ]);
    let after = '';
    for (const run of runsOf) {
      const events = run.events.map(({ event, occurredAt }) => ({
        event: event.type === 'TaxSplit' ? { ...event, data: { ...event.data, ...told.get(run) } } : event,
        occurredAt,
      }));
      const isRecorded = ({ type }: LevyEvent) => type !== 'RunClosed' || run === unsold;
      after = await recorder.recordRun(other.id, { ...run, events }, isRecorded);
    }
    const pageOf = async ({ runId }: GeneratedRun) => {
      const path = `/distribution/${other.id}/runs/${runId}`;
      const { run } = await owner.client.ask<{ run: { sale: unknown; amounts: { ownTax?: unknown } } }>(
        'GET',
        path,
        {
          headers: { 'x-after-position': after },
        },
      );
      return run;
    };
    const { maxDiscountBasisPoints, ...judged } = saleBasis;
    const page = await pageOf(sold);
    expect(page.sale).toEqual({
      unsold: null,
      tries: 1,
      offers: [{ ...judged, maxDiscountPercent: 5, amount: '810000', minimum: '99000000', landed: true }],
    });
    expect(maxDiscountBasisPoints).toBe(500);
    expect(page.amounts.ownTax).toEqual(ownTax);
    expect((await pageOf(unsold)).sale).toEqual({
      unsold: {
        code: 'price-below-reference',
        detail: 'The price of the pool is far below its price of the last half hour.',
      },
      tries: 2,
      offers: [],
    });
    expect((await pageOf(inTokens)).sale).toBeNull();
  });

  test('say so when a file is not there, and are there again with it', async () => {
    const { token: other, run } = await tokenWithRun(5);
    const after = { 'x-after-position': await recorder.recordRun(other.id, run) };
    const { sha256 } = run.settlement;
    await rm(join(service.folder, 'ledgers', 'blobs', sha256.slice(0, 2), sha256));
    const own = `/distribution/${other.id}`;
    for (const rest of [`/runs/${run.runId}/payments`, `/holders/${ownerOf(0)}`])
      await owner.client.refusal('LEDGER_UNAVAILABLE', 'GET', `${own}${rest}`, { headers: after });
    await createRunRecorder(service).recordRun(other.id, run, () => false);
    expect((await owner.client.call('GET', `${own}/runs/${run.runId}/payments`)).status).toBe(200);
  });

  test.each([
    'allotment',
    'settlement',
  ] as const)('say so when the %s is damaged, and are there again when it was put back', async (which) => {
    const { token: other, run } = await tokenWithRun(7);
    const after = { 'x-after-position': await recorder.recordRun(other.id, run) };
    const { sha256 } = run[which];
    const path = join(service.folder, 'ledgers', 'blobs', sha256.slice(0, 2), sha256);
    const right = await readFile(path);
    const own = `/distribution/${other.id}`;
    const readers = [
      `${own}/runs/${run.runId}/payments`,
      `${own}/runs/${run.runId}/payments/${ownerOf(0)}`,
      `${own}/runs/${run.runId}/payments/${ownerOf(0)}/proof`,
      `${own}/holders/${ownerOf(0)}`,
    ];
    // An open settlement is in memory, as it was found right.
    const routes = [...(which === 'allotment' ? readers : []), `/files/${sha256}`];
    // In its last record: the beginning, which tells whose file it is, stays right.
    const damaged = Buffer.from(right);
    const place = damaged.length - 80;
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    for (const isRead of [false, true]) {
      await writeFile(path, damaged);
      for (const route of routes) {
        const accept = route.endsWith('payments') ? { accept: 'text/csv' } : {};
        for (const headers of [after, { ...after, ...accept }])
          await owner.client.refusal('LEDGER_CORRUPT', 'GET', route, { headers });
      }
      expect(service.logged).toContainEqual(
        expect.objectContaining({ msg: 'ledgers are damaged', file: sha256 }),
      );
      await writeFile(path, right);
      // What was found right once is not believed for ever.
      for (const route of isRead ? [] : routes.filter((each) => !each.endsWith('proof')))
        expect((await owner.client.call('GET', route, { headers: after })).status).toBe(200);
    }
  });
});

describe('the payment of a wallet', () => {
  const path = (wallet: string, run = closed) => `/runs/${run.runId}/payments/${wallet}`;

  test('comes with the proof that it is in the ledger', async () => {
    for (const run of [closed, open]) {
      for (const { owner: wallet } of run.allotment.records.slice(0, 20)) {
        const { body } = await get<Proved & { payment: { wallet: string }; root: string }>(path(wallet, run));
        expect([body.payment.wallet, body.root, rootOf(body)]).toEqual([
          wallet,
          run.allotment.root,
          run.allotment.root,
        ]);
      }
    }
  });

  test('that is not in the ledger is refused with the proof, wherever the wallet would stand', async () => {
    const wallets = [
      ...Array.from({ length: 10 }, () => Keypair.generate().publicKey.toBase58()),
      '11111111111111111111111111111111',
      'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG',
    ];
    for (const wallet of wallets) {
      const problem = (await owner.client.refusal(
        'PAYMENT_NOT_FOUND',
        'GET',
        `${base}${path(wallet)}`,
      )) as Problem & {
        neighbours: { before: Proved; after: Proved | null };
        root: string;
      };
      const { before, after } = problem.neighbours;
      expect(problem.root).toBe(closed.allotment.root);
      expect(rootOf(before)).toBe(problem.root);
      if (after === null) expect(before.proof.index).toBe(before.proof.treeSize - 1);
      else {
        expect(after.proof.index).toBe(before.proof.index + 1);
        expect(rootOf(after)).toBe(problem.root);
        if (before.proof.index > 0)
          expect(
            compareRecords(Buffer.from(before.record, 'base64'), Buffer.from(after.record, 'base64')),
          ).toBeLessThan(0);
      }
    }
  });

  test('is refused for what is no wallet, no run and no token', async () => {
    const { refusal } = owner.client;
    await refusal('INVALID_ADDRESS', 'GET', `${base}${path('O'.repeat(32))}`);
    await refusal('RUN_NOT_FOUND', 'GET', `${base}/runs/${token.id}/payments/${owner.address}`);
    await refusal('VALIDATION_FAILED', 'GET', `${base}/runs/1/payments/${owner.address}`);
    await refusal('TOKEN_NOT_FOUND', 'GET', `/distribution/${open.runId}${path(owner.address)}`);
  });
});

describe('a holder', () => {
  test('is told what it is owed, what it was paid and why not more', async () => {
    const wallet = ownerOf(1);
    const answer = await get<{ runs: { number: number; payments: object[] }[]; reason: string }>(
      `/holders/${wallet}`,
    );
    expect(answer.body).toMatchObject({ tokenId: token.id, wallet, owedByAsset: {}, paidByAsset: {} });
    expect(answer.body.runs.map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(answer.body.reason).toMatch(/^[a-z-]+$/);
    expect(cacheOf(answer)).toBe(REVALIDATED);
    const again = await get(`/holders/${wallet}`, { 'if-none-match': tagOf(answer) });
    expect(again.status).toBe(304);
  });

  test('that no run found is owed nothing', async () => {
    const wallet = Keypair.generate().publicKey.toBase58();
    expect((await get(`/holders/${wallet}`)).body).toMatchObject({
      owedByAsset: { sol: '0', token: '0' },
      paidByAsset: { sol: '0', token: '0' },
      reason: null,
      runs: [{ payments: [] }, { payments: [] }, { payments: [] }],
    });
    await owner.client.refusal('INVALID_ADDRESS', 'GET', `${base}/holders/nobody`);
  });
});

describe('the shares of a wallet', () => {
  interface Shares {
    readonly shares: readonly Share[];
    readonly next: string | null;
  }
  type Share = Record<string, unknown> & {
    readonly tokenId: string;
    readonly lastRun: { readonly runId: string; readonly closedAt: string };
  };
  /** The last closed run of a token. */
  type LastRun = readonly [tokenId: string, runId: string];

  const ask = (wallet: string, query = '') =>
    owner.client.ask<Shares>('GET', `/wallets/${wallet}/shares?limit=100${query}`);

  /** Ledgers are read beside the log: nobody waits for them. */
  async function sharesIn(wallet: string, runs: readonly LastRun[]): Promise<readonly Share[]> {
    const isRead = ({ tokenId, lastRun }: Share) =>
      runs.some(([id, runId]) => id === tokenId && runId === lastRun.runId);
    const own = async () => (await ask(wallet)).shares.filter(isRead);
    await eventually('the ledgers are read', async () => (await own()).length === runs.length);
    return own();
  }

  test('are in all its tokens what each of them says of the holder, a page at a time', async () => {
    const made: LastRun[] = [[token.id, closed.runId]];
    for (const seed of [61, 62]) {
      const { token: other } = await owner.createToken();
      const subject = { tokenId: other.id, mint: other.mintAddress };
      const [first, last] = generateRuns(seed, subject, { owners: 20, assets: ['sol', 'token'] });
      if (first === undefined || last === undefined) throw new Error('two runs were made');
      for (const run of [first, last]) await recorder.recordRun(other.id, run);
      made.unshift([other.id, last.runId]);
      await sharesIn(ownerOf(0), made);
    }
    // The developer of all of them, and a holder.
    const wallet = ownerOf(0);
    const shares = await sharesIn(wallet, made);
    expect(shares.map(({ tokenId }) => tokenId)).toEqual(made.map(([tokenId]) => tokenId));
    for (const share of shares) {
      const { paidByAsset, owedByAsset, parts } = await owner.client.ask<Record<string, unknown>>(
        'GET',
        `/distribution/${share.tokenId}/holders/${wallet}`,
      );
      expect(share).toMatchObject({ paidByAsset, owedByAsset, parts });
      const { token: page } = await owner.client.ask<{ token: Record<string, unknown> }>(
        'GET',
        `/tokens/${share.tokenId}`,
      );
      const { mintAddress, name, symbol, decimals, imageUri, rewardToken } = page;
      expect(share).toMatchObject({ mintAddress, name, symbol, decimals, imageUri, rewardToken });
      expect(share.nextDistributionAt).toBe(page.nextDistributionAt);
      expect(share.lastRun.closedAt).toBe(page.lastDistributionAt);
    }
    const all = await ask(wallet);
    const pages: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: Shares = await owner.client.ask(
        'GET',
        `/wallets/${wallet}/shares?limit=1${after && `&after=${after}`}`,
      );
      pages.push(...page.shares.map(({ tokenId }) => tokenId));
      after = page.next;
    }
    expect(pages).toEqual(all.shares.map(({ tokenId }) => tokenId));
  });

  test('leave out a token that operators hide, but for its creator', async () => {
    const { token: hidden, run } = await tokenWithRun(63, 900);
    await recorder.recordRun(hidden.id, run);
    // No other token has so many owners.
    const wallet = Array.from({ length: 600 }, (_, index) => ownerOf(300 + index)).find((address) =>
      run.allotment.records.some(({ owner: own, share }) => own === address && share > 0n),
    );
    await sharesIn(wallet ?? '', [[hidden.id, run.runId]]);
    const hide = `/operator/tokens/${hidden.mintAddress}/hide`;
    const { headers } = await owner.client.call('POST', hide, {
      operatorKey: OPERATOR_KEY,
      json: { reason: 'A copy.' },
    });
    const after = { 'x-after-position': headers.get('x-position') ?? '' };
    const path = `/wallets/${wallet}/shares`;
    expect((await owner.client.call<Shares>('GET', path, { headers: after })).body.shares).toEqual([]);
    expect((await owner.call<Shares>('GET', path)).body.shares).toHaveLength(1);
  });
});

describe('the tax of a token', () => {
  test('is nothing before the first run, and says when that is due', async () => {
    const { token: fresh } = await owner.createToken({ distributionInterval: '5m' });
    const path = `/distribution/${fresh.id}/tax`;
    const tax = await owner.client.ask<{ nextDistributionAt: string }>('GET', path);
    expect(tax).toMatchObject({
      tokenId: fresh.id,
      mintAddress: fresh.mintAddress,
      lastScan: null,
      collected: '0',
      paidByAsset: { sol: '0', token: '0' },
      runCount: 0,
      waitingFor: { code: 'next-run', since: null },
    });
    const minutes = (Date.parse(tax.nextDistributionAt) - Date.parse(fresh.createdAt)) / 60_000;
    expect(minutes % 5).toBe(0);
    const detail = `No tax of ${fresh.symbol} is withheld.`;
    const dueAt = tax.nextDistributionAt;
    const after = await recorder.record(
      fresh.id,
      RunSkipped({ tokenId: fresh.id, dueAt, reason: 'nothing-collected', detail }),
    );
    const headers = { 'x-after-position': after };
    expect(await owner.client.ask('GET', path, { headers })).toMatchObject({
      waitingFor: { code: 'nothing-collected', detail },
    });
    await owner.call('PATCH', `/distribution/${fresh.id}/settings`, { json: { distributionEnabled: false } });
    expect(await owner.client.ask('GET', path)).toMatchObject({
      nextDistributionAt: null,
      waitingFor: { code: 'disabled' },
    });
  });
});

test('nothing of a hidden token is shown to anybody but its creator, nor kept by a cache', async () => {
  const { token: other, run } = await tokenWithRun(6);
  await recorder.recordRun(other.id, run);
  const hide = `/operator/tokens/${other.mintAddress}/hide`;
  await owner.client.ask('POST', hide, { operatorKey: OPERATOR_KEY, json: { reason: 'A copy.' } });
  const own = `/distribution/${other.id}`;
  const wallet = run.allotment.records[0]?.owner;
  const paths = ['/runs', '/tax', '/owners', `/holders/${wallet}`];
  const ofRun = ['', '/batches', '/payments', `/payments/${wallet}`].map(
    (rest) => `/runs/${run.runId}${rest}`,
  );
  for (const path of [...paths, ...ofRun]) {
    await stranger.client.refusal('TOKEN_NOT_FOUND', 'GET', `${own}${path}`);
    await stranger.client.refusal('TOKEN_NOT_FOUND', 'GET', `${own}${path}`, { token: stranger.token });
    const seen = await owner.call('GET', `${own}${path}`);
    expect([path, seen.status, cacheOf(seen)]).toEqual([path, 200, REVALIDATED]);
  }
  expect(await owner.call('GET', `${own}/tax`)).toMatchObject({
    body: { nextDistributionAt: null, waitingFor: { code: 'hidden' } },
  });
});
