/**
 * While read models are rebuilt the service answers every call: lists from the documents that were there, kept up to
 * date, and signed-in calls by the log, which alone tells what is revoked. A rebuild that is killed goes on.
 */
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import type { EventToAppend } from '../../src/kernel/ports/event-store.ts';
import { projections } from '../../src/projections/index.ts';
import type { AuditReport } from '../../src/proof/audit/report.ts';
import { DistributionSettingsUpdated } from '../../src/streams/token.ts';
import { createClient } from '../support/client.ts';
import { signIn } from '../support/creator.ts';
import { ids, tokenCreated } from '../support/domain-examples.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { happening, storedEvents } from '../support/recorded-events.ts';
import { runLevy } from '../support/run-levy.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const CHANGES = 12_000;
const EVENTS_AN_APPEND = 100;

interface Progress {
  readonly done: number;
  readonly of: number;
  readonly percent: number;
  readonly secondsLeft: number | null;
}
interface ProjectionShown {
  readonly name: string;
  readonly state: string;
  readonly served: number | null;
  readonly current: boolean;
  readonly build: Progress | null;
}

const asOperator = { operatorKey: OPERATOR_KEY };

async function shownBy({ url }: ServiceProcess): Promise<readonly ProjectionShown[]> {
  const { status, body } = await createClient(url).call<{ projections: readonly ProjectionShown[] }>(
    'GET',
    '/operator/projections',
    asOperator,
  );
  expect(status).toBe(200);
  return body.projections;
}

const areLive = (service: ServiceProcess) => () =>
  shownBy(service).then((all) => all.every(({ state }) => state === 'live'));

async function statusOf(
  { url }: ServiceProcess,
  path: string,
  token?: string,
  headers = {},
): Promise<number> {
  return (await createClient(url).call('GET', path, { ...(token === undefined ? {} : { token }), headers }))
    .status;
}

/** One session that goes on, and one that was ended. */
async function sessionsAt(service: ServiceProcess) {
  const client = createClient(service.url);
  const [good, revoked] = [
    await signIn(client, Keypair.generate()),
    await signIn(client, Keypair.generate()),
  ];
  expect((await client.call('POST', '/auth/logout', { token: revoked.token })).status).toBe(200);
  return { good: good.token, revoked: revoked.token };
}

async function inStore<Result>(
  folder: string,
  use: (store: ReturnType<typeof createSqliteEventStore>) => Promise<Result>,
): Promise<Result> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  try {
    return await use(store);
  } finally {
    await store.close();
    await database.close();
  }
}

/** A token and very many changes of its settings, so that a rebuild takes a while. */
async function growLog(folder: string): Promise<void> {
  const creation = happening(ids.tokenId, tokenCreated);
  const changes = Array.from({ length: CHANGES }, (_, index) =>
    happening(
      ids.tokenId,
      DistributionSettingsUpdated({
        tokenId: ids.tokenId,
        from: { burnBasisPoints: index % 100 },
        to: { burnBasisPoints: (index + 1) % 100 },
      }),
    ),
  );
  const events = storedEvents([creation, ...changes]);
  await inStore(folder, async (store) => {
    for (let first = 0; first < events.length; first += EVENTS_AN_APPEND) {
      const some = events.slice(first, first + EVENTS_AN_APPEND);
      const [{ stream, revision } = { stream: '', revision: 0 }] = some;
      const appended = some.map(
        ({ id, type, data, metadata }): EventToAppend => ({ id, type, data, metadata }),
      );
      const result = await store.append(stream, revision === 0 ? 'none' : revision - 1, appended);
      expect(result.outcome).toBe('appended');
    }
  });
}

/** Number of builds that have reached a position before the head of the log and are not live. */
async function begunIn(folder: string): Promise<number> {
  const head = Number(await inStore(folder, (store) => store.head()));
  const database = openSqliteDatabase(join(folder, 'levy-read-model.db'));
  try {
    const [count] =
      database
        .statement<[number]>(
          `SELECT count(*) FROM builds WHERE live = 0 AND name <> 'source_log' AND CAST(checkpoint AS INTEGER) BETWEEN 1 AND ?`,
        )
        .row(head - 1) ?? [];
    return count ?? 0;
  } finally {
    await database.close();
  }
}

test('lists and signed-in calls are answered during a rebuild, which shows its progress and survives a kill', async () => {
  const first = await startServiceProcess();
  const { folder } = first;
  const { good, revoked } = await sessionsAt(first);
  await first.stop();
  await growLog(folder);

  const second = await startServiceProcess({}, { folder });
  await eventually('the service has caught up', areLive(second));
  const client = createClient(second.url);
  const list = (await client.call('GET', '/tokens')).bytes;
  const rebuildAll = async () => {
    for (const { name } of projections) {
      const asked = await client.call<{ started: boolean }>(
        'POST',
        `/operator/projections/${name}/rebuild`,
        asOperator,
      );
      expect([asked.status, asked.body.started]).toEqual([200, true]);
    }
  };
  expect((await client.call('POST', '/operator/projections/nothing/rebuild', asOperator)).status).toBe(400);
  await rebuildAll();

  const building = (await shownBy(second)).filter(({ state }) => state === 'building');
  expect(building).not.toEqual([]);
  for (const { name, served, current, build: progress } of building) {
    expect([name, served !== null, current]).toEqual([name, true, true]);
    expect(progress?.percent).toBeLessThanOrEqual(100);
  }
  const written = await client.call('POST', '/tokens/generate-distribution-wallet', {
    token: good,
    json: {},
  });
  const after = { 'x-after-position': written.headers.get('x-position') ?? '' };
  expect(written.status).toBe(200);
  expect(await statusOf(second, '/tokens/me', good, after)).toBe(200);
  expect(await statusOf(second, '/tokens/me', revoked)).toBe(401);
  expect((await client.call('GET', '/tokens')).bytes).toEqual(list);
  expect(await statusOf(second, '/ready')).toBe(200);

  let reached = 0;
  await eventually('a rebuild is in its first half', async () => {
    const shown = await shownBy(second);
    const inFirstHalf = shown.flatMap(({ build: progress }) =>
      progress !== null && progress.done > 0 && progress.done * 2 < progress.of ? progress.done : [],
    );
    reached = Math.max(0, ...inFirstHalf);
    // The calls above can have outlasted it.
    if (shown.every(({ state }) => state === 'live')) await rebuildAll();
    return reached > 0;
  });
  await second.stop('SIGKILL');
  expect(await begunIn(folder)).toBeGreaterThan(0);

  const third = await startServiceProcess({}, { folder });
  expect((await createClient(third.url).call('GET', '/tokens')).bytes).toEqual(list);
  const resumed = Math.max(0, ...(await shownBy(third)).map(({ build }) => build?.done ?? CHANGES));
  expect(resumed).toBeGreaterThanOrEqual(reached);
  await eventually('the rebuild has come to its end', areLive(third));
  expect(await statusOf(third, '/tokens/me', good)).toBe(200);
  expect(await statusOf(third, '/tokens/me', revoked)).toBe(401);
  await third.stop();
  const audited = await runLevy(['--json', 'audit', '--no-chain'], { ...TEST_ENVIRONMENT, DATA_DIR: folder });
  const { checks }: AuditReport = JSON.parse(audited.stdout);
  const documents = checks.find(({ check }) => check === 'documents');
  expect(documents).toMatchObject({ outcome: 'held', found: 0 });
  expect(documents?.checked).toBeGreaterThan(CHANGES);
}, 120_000);
