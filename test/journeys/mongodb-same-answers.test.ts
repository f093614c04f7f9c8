/**
 * Two services on copies of one recorded log, one with its read models in SQLite and one in MongoDB, answer every query with
 * the same bytes: every list with all its pages and filters, and every document.
 */
import { execFileSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test } from 'vitest';
import { LaunchCompleted, LaunchStarted } from '../../src/streams/launch.ts';
import { answerTo, type Caller, type Credentials, type Recording } from '../recorded/recorded-calls.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { signIn } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { generateRuns } from '../support/generated-runs.ts';
import { launchCompleted, launchSubject, startedLaunch } from '../support/launch-examples.ts';
import { hasMongo, sharedMongo, tellOfSkippedMongo } from '../support/mongo-server.ts';
import { createRunRecorder } from '../support/recorded-runs.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkippedMongo(3, hasMongo);

const RECORDED = fileURLToPath(new URL('../recorded/', import.meta.url));
/** Nobody distributes: neither log goes on while the two are compared. */
const QUIET = { NONCE_ACCOUNTS_MIN: '3', ROLES: 'api,projector,settler' };

/** What answers without a read model, or about the process itself. */
const NOT_COMPARED = [
  // Of the log and of files: no read model has a part in it.
  '/distribution/{tokenId}/runs/{runId}/batches',
  '/distribution/{tokenId}/runs/{runId}/payments/{wallet}/proof',
  '/log/checkpoint',
  '/log/key',
  '/log/tile/{level}/{first}',
  '/log/tile/{level}/{first}/{second}',
  '/log/tile/{level}/{first}/{second}/{third}',
  '/log/tile/{level}/{first}/{second}/{third}/{fourth}',
  '/operator/events',
  '/operator/log',
  '/operator/streams/{stream}/state',
  // With a partner's key, which the recording has none of: a look-up as that of `GET /tokens` with a filter.
  '/partner/tokens',
  '/partner/usage',
  // Of the moment, of the process, or of what the service is set up with.
  '/.well-known/jwks.json',
  '/asyncapi.json',
  '/config',
  '/distribution/{tokenId}/preview',
  '/distribution/{tokenId}/tax',
  '/events',
  '/health',
  '/images/{file}',
  '/metrics',
  '/openapi.json',
  '/operator/events/quarantined',
  '/operator/events/undecodable',
  '/operator/overview',
  '/operator/projections',
  '/ready',
];

interface Page {
  readonly next?: string | number | null;
  readonly pagination?: { readonly page: number; readonly totalPages: number };
}

describe.skipIf(!hasMongo)('with read models in SQLite and in MongoDB', () => {
  let recording: Recording;
  let onSqlite: TestService;
  let onMongo: TestService;
  let sessions: readonly [Credentials, Credentials];
  let distributed: {
    readonly tokenId: string;
    readonly mint: string;
    readonly runIds: readonly string[];
    readonly owner: number;
  };
  const answered = new Set<string>();

  beforeAll(async () => {
    recording = JSON.parse(await readFile(join(RECORDED, 'answers.json'), 'utf8'));
    const path = await folderForTheFile();
    execFileSync('tar', ['-xzf', join(RECORDED, 'data.tar.gz'), '-C', path]);
    const [first, second] = [join(path, 'data'), join(path, 'other')];
    const environment = { ...QUIET, ...recording.environment };
    const recorder = await openTestService(environment, { folder: first });
    distributed = await distribute(recorder);
    await recorder.close();
    await cp(first, second, { recursive: true });
    const mongo = await sharedMongo();
    [onSqlite, onMongo] = await Promise.all([
      openTestService(environment, { folder: first }),
      openTestService({ ...environment, READ_MODEL_URL: mongo.newUrl() }, { folder: second }),
    ]);
    for (const { url } of [onSqlite, onMongo])
      await eventually('it is ready', async () => (await fetch(`${url}/ready`)).ok);
    sessions = [await credentialsAt(onSqlite), await credentialsAt(onMongo)];
  }, 180_000);

  /** Three runs of the first recorded token, and its launch from the start to the target: no venue is needed for the events. */
  async function distribute(service: TestService) {
    const { path } = recording.answers.map(({ call }) => call).find(isSettings) ?? { path: '' };
    const tokenId = path.split('/')[2] ?? '';
    const owner = recording.answers.find(({ call }) => call.path === path)?.call.as;
    const mine = recording.answers.find(({ call }) => call.path === '/tokens/me' && call.as === owner);
    const { tokens } = JSON.parse(mine?.answer.body ?? '{}') as {
      readonly tokens: readonly { readonly id: string; readonly mintAddress: string }[];
    };
    const mint = tokens.find(({ id }) => id === tokenId)?.mintAddress ?? '';
    const runs = generateRuns(42, { tokenId, mint }, { owners: 50, assets: ['sol', 'token', 'sol'] });
    const recorder = createRunRecorder(service);
    for (const run of runs) await recorder.recordRun(tokenId, run);
    const launch = { ...launchSubject, tokenId, mintAddress: mint };
    await recorder.record(tokenId, LaunchStarted({ ...startedLaunch, launch }));
    await recorder.record(tokenId, LaunchCompleted({ ...launchCompleted.data, tokenId }));
    const runIds = runs.flatMap(({ events }) =>
      events.flatMap(({ event }) => ('runId' in event.data ? [String(event.data.runId)] : [])),
    );
    return { tokenId, mint, runIds: [...new Set(runIds)], owner: Number(owner) };
  }

  const isSettings = ({ path, method }: { readonly path: string; readonly method: string }) =>
    method === 'GET' && /^\/distribution\/[^/]+\/settings$/.test(path);

  async function credentialsAt({ url }: TestService): Promise<Credentials> {
    const client = createClient(url);
    const keypairs = recording.creators.map((secret) => Keypair.fromSecretKey(bs58.decode(secret)));
    const tokens: string[] = [];
    for (const keypair of keypairs) tokens.push((await signIn(client, keypair)).token);
    return { operatorKey: recording.operatorKey, tokens };
  }

  /** The answer of both, where it is the same but for what the clock adds. */
  async function same(path: string, as: Caller): Promise<unknown> {
    const call = { method: 'GET', path, as } as const;
    const [one, other] = await Promise.all([
      answerTo(onSqlite.url, call, sessions[0]),
      answerTo(onMongo.url, call, sessions[1]),
    ]);
    const still = ({ body, entityTag, ...rest }: typeof one) => ({
      ...rest,
      body: body.replace(/"(ageSeconds|secondsLeft|requestId|correlationId)":("[^"]*"|\d+)/g, ''),
      entityTag: /"(ageSeconds|secondsLeft)":/.test(body) ? null : entityTag,
    });
    expect([path, as, still(other)]).toEqual([path, as, still(one)]);
    const { pathname } = new URL(path, onSqlite.url);
    if (one.status === 200) answered.add(pathname);
    return one.contentType?.includes('json') ? JSON.parse(one.body) : undefined;
  }

  /** With all the pages behind it. */
  async function walk(path: string, as: Caller): Promise<number> {
    const query = (name: string, value: string | number) =>
      `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;
    let pages = 1;
    let { next, pagination } = (await same(path, as)) as Page;
    for (let page = 2; page <= (pagination?.totalPages ?? 0) + 1; page += 1, pages += 1)
      ({ pagination = pagination } = (await same(query('page', page), as)) as Page);
    for (; next !== undefined && next !== null; pages += 1)
      ({ next } = (await same(query('after', next), as)) as Page);
    return pages;
  }

  test('what was recorded is asked once more', async () => {
    for (const { call } of recording.answers) if (call.method === 'GET') await same(call.path, call.as);
  });

  test('every list is walked, in pages of several sizes and by every filter', async () => {
    const addresses = recording.creators.map((secret) =>
      Keypair.fromSecretKey(bs58.decode(secret)).publicKey.toBase58(),
    );
    let pages = 0;
    for (const limit of [1, 2, 3, 20, 100]) {
      pages += await walk(`/tokens?limit=${limit}`, 'anybody');
      for (const filter of [
        'rewardToken=SOL',
        'launchState=completed',
        'featured=true',
        'rewardToken=SELF&launchState=none',
        'sort=paid',
        'sort=paid&rewardToken=SOL',
        'sort=market-cap',
        'sort=market-cap&launchState=completed',
      ])
        pages += await walk(`/tokens?limit=${limit}&${filter}`, 'anybody');
      for (const creator of addresses)
        pages += await walk(`/tokens?limit=${limit}&creator=${creator}`, 'anybody');
      for (const search of ['s', 'su', 'sunrise', 'caf%C3%A9', 'a', 'zz', '%00', 'S t', '%F0%9F%98%80'])
        pages += await walk(`/tokens?limit=${limit}&search=${search}`, 'anybody');
      for (const as of addresses.keys()) {
        pages += await walk(`/tokens/me?limit=${limit}`, as);
        pages += await walk(`/transactions?limit=${limit}`, as);
        pages += await walk(`/transactions?status=expired&limit=${limit}`, as);
      }
      pages += await walk(`/operator/tokens?limit=${limit}`, 'operator');
      for (const state of ['open', 'superseded', 'expired', 'cancelled'])
        pages += await walk(`/operator/drafts?state=${state}&limit=${limit}`, 'operator');
      for (const state of ['submitted', 'confirmed', 'finalized', 'failed', 'unrecorded'])
        pages += await walk(`/operator/submissions?state=${state}&limit=${limit}`, 'operator');
      pages += await walk(`/operator/distributions?limit=${limit}`, 'operator');
      const base = `/distribution/${distributed.tokenId}`;
      pages += await walk(`${base}/runs?limit=${limit}`, distributed.owner);
      pages += await walk(`${base}/settings/history?limit=${limit}`, distributed.owner);
    }
    await same('/featured', 'anybody');
    await same('/operator/nonce-accounts', 'operator');
    await same('/operator/partners', 'operator');
    expect(pages).toBeGreaterThan(150);
  }, 120_000);

  test('so is every document of a distribution, and no query is left out', async () => {
    const { tokenId, mint, runIds, owner } = distributed;
    const base = `/distribution/${tokenId}`;
    expect(runIds).toHaveLength(3);
    expect(await same(`/launchpad/${mint}/status`, 'anybody')).toMatchObject({ status: 'completed' });
    await same(`${base}/owners`, owner);
    for (const by of ['run', 'day']) await same(`${base}/series?by=${by}`, owner);
    await same('/totals', 'anybody');
    for (const runId of runIds) {
      const run = (await same(`${base}/runs/${runId}`, owner)) as Record<string, unknown>;
      await walk(`${base}/runs/${runId}/payments?limit=7`, owner);
      const { payments } = (await same(`${base}/runs/${runId}/payments`, owner)) as {
        readonly payments: readonly { readonly wallet: string }[];
      };
      for (const { wallet } of payments.slice(0, 3)) {
        await sharesAreRead(wallet);
        await walk(`/wallets/${wallet}/shares?limit=1`, owner);
        await same(`${base}/runs/${runId}/payments/${wallet}`, owner);
        await same(`${base}/holders/${wallet}`, owner);
      }
      // Roots look like the names of files: of those both say that there is no such file.
      for (const [name] of JSON.stringify(run).matchAll(/\b[0-9a-f]{64}\b/g))
        await same(`/files/${name}`, 'anybody');
    }
    const { paths } = (await (await fetch(`${onMongo.url}/openapi.json`)).json()) as {
      readonly paths: { readonly [path: string]: { readonly get?: object } };
    };
    const left = Object.entries(paths)
      .filter(([path, { get }]) => get !== undefined && !NOT_COMPARED.includes(path))
      .map(([path]) => path)
      .filter((path) => ![...answered].some((each) => asTemplate(path).test(each)));
    expect(left).toEqual([]);
  });

  /** Ledgers are read beside the log: nobody waits for them. */
  const sharesAreRead = (wallet: string) =>
    eventually('both have read the ledger of the last run', async () => {
      const found = await Promise.all(
        [onSqlite, onMongo].map(async ({ url }) => {
          const answer = await fetch(`${url}/wallets/${wallet}/shares`);
          return answer.ok ? ((await answer.json()) as { readonly shares: readonly object[] }).shares : [];
        }),
      );
      return found.every(({ length }) => length > 0);
    });

  const asTemplate = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
});
