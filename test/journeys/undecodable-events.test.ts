/** Events that no release can decode: others go on, readiness names them, an operator gives them up, and everything agrees. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createClient, type Problem } from '../support/client.ts';
import { type Creator, creatorWith, openCreator, type SubmittedToken } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY, OPERATOR_NAME } from '../support/operator.ts';
import { SCRIPT_METADATA } from '../support/recorded-events.ts';
import { openTestService, type TestService } from '../support/service.ts';

interface BadEvent {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly data: string;
  readonly metadata?: string;
}

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly eventId?: string;
  readonly stream?: string;
  readonly revision?: number;
}

const METADATA = JSON.stringify(SCRIPT_METADATA);

async function checksOf({ url }: TestService): Promise<readonly Check[]> {
  const { checks } = (await (await fetch(`${url}/ready`)).json()) as { readonly checks: readonly Check[] };
  return checks;
}

const asOperator = (service: TestService) => {
  const client = createClient(service.url);
  return <Body>(method: string, path: string, json?: unknown) =>
    client.call<Body>(method, path, { operatorKey: OPERATOR_KEY, ...(json === undefined ? {} : { json }) });
};

const settingsOf = async (creator: Creator, { token }: SubmittedToken, json: unknown) =>
  creator.call<Problem>('PATCH', `/distribution/${token.id}/settings`, { json });

test('undecodable events stop their own streams only, and nobody once they are quarantined', async () => {
  const first = await openTestService();
  let current = first;
  /** Appends at the end of the streams, as another program; resolves with a service that runs on them. */
  const damage = async (events: readonly BadEvent[]): Promise<TestService> => {
    await current.close();
    const database = openSqliteDatabase(join(first.folder, 'levy.db'));
    const insert = database.statement(
      `INSERT INTO events (stream, category, revision, id, type, data, metadata)
         SELECT ?1, ?2, 1 + coalesce((SELECT max(revision) FROM events WHERE stream = ?1), -1), ?3, ?4, ?5, ?6`,
    );
    await database.write(() => {
      for (const { stream, id, type, data, metadata = METADATA } of events)
        insert.run(stream, stream.slice(0, stream.indexOf('-')), id, type, data, metadata);
    });
    await database.close();
    current = await openTestService({}, { folder: first.folder });
    return current;
  };
  const before = await openCreator(first);
  const [damaged, sound] = [await before.createToken(), await before.createToken()];
  const tokenStream = `token-${damaged.token.id}`;
  const bad = [
    { id: randomUUID(), stream: tokenStream, type: 'TokenPainted', data: '{}' },
    { id: randomUUID(), stream: tokenStream, type: 'DistributionSettingsUpdated', data: '{"changed":7}' },
    { id: randomUUID(), stream: tokenStream, type: 'TokenHidden', data: '{"tokenId": nonsense' },
    { id: randomUUID(), stream: `token-${randomUUID()}`, type: 'TokenCreated', data: '{"token":{}}' },
  ];
  const newer = {
    id: randomUUID(),
    stream: `command-${randomUUID()}`,
    type: 'IdempotencyKeyUsed',
    data: '{}',
    metadata: METADATA.replace('"schemaVersion":1', '"schemaVersion":99'),
  };
  const foreign = { id: randomUUID(), stream: 'painting-1', type: 'Painted', data: 'no JSON at all' };
  const service = await damage([...bad, foreign]);
  const creator = creatorWith({
    client: createClient(service.url),
    keypair: before.keypair,
    token: before.token,
  });

  // Others go on: their tokens are made, submitted and settled, and lists answer.
  expect(await creator.createToken()).toMatchObject({ success: true });
  expect((await settingsOf(creator, sound, { burnPercent: 3 })).status).toBe(200);
  expect((await creator.call('GET', '/tokens')).status).toBe(200);
  const refused = await settingsOf(creator, damaged, { burnPercent: 4 });
  expect([refused.status, refused.body.code]).toEqual([503, 'EVENT_UNDECODABLE']);

  const operate = asOperator(service);
  const quarantine = (id: string, json: object = {}) =>
    operate<Problem & { readonly by?: string }>('POST', `/operator/events/${id}/quarantine`, {
      reason: 'A script went wrong.',
      ...json,
    });
  const unknown = await quarantine(randomUUID());
  expect([unknown.status, unknown.body.code]).toEqual([404, 'EVENT_NOT_FOUND']);
  const place = { stream: tokenStream, revision: 0 };
  const misplaced = await quarantine(randomUUID(), place);
  expect([misplaced.status, misplaced.body.code]).toEqual([404, 'EVENT_NOT_FOUND']);

  // Readiness names one after the other; each is given up, until nothing is left.
  const given = new Set<string>();
  while (given.size < bad.length) {
    const check = await eventually('readiness names an event', async () =>
      (await checksOf(service)).find(({ eventId }) => eventId !== undefined && !given.has(eventId)),
    );
    expect(check).toMatchObject({ ok: false, stream: expect.any(String), revision: expect.any(Number) });
    const { eventId } = check as { readonly eventId: string };
    const answer = await quarantine(eventId);
    expect(answer).toMatchObject({ status: 200, body: { eventId, by: OPERATOR_NAME } });
    expect((await quarantine(eventId, { reason: 'Another reason.' })).body).toEqual(answer.body);
    given.add(eventId);
  }
  expect([...given].sort()).toEqual(bad.map(({ id }) => id).sort());

  await eventually('everything has caught up', async () => (await checksOf(service)).every(({ ok }) => ok));
  expect((await settingsOf(creator, damaged, { burnPercent: 5 })).status).toBe(200);
  const list = await operate<{ readonly events: readonly { readonly eventId: string }[] }>(
    'GET',
    '/operator/events/quarantined',
  );
  const quarantined = list.body.events.map(({ eventId }) => eventId);
  expect([...quarantined].sort()).toEqual([...given].sort());
  const [newest = '', second] = quarantined;
  const behind = await operate('GET', `/operator/events/quarantined?limit=1&after=${newest}`);
  expect(behind.body).toMatchObject({ events: [{ eventId: second }], next: second });
  expect((await operate<{ events: unknown[] }>('GET', '/operator/events/undecodable')).body.events).toEqual(
    [],
  );
  const tokens = await eventually('the list shows all three', async () => {
    const { body } = await creator.call<{ tokens: readonly unknown[] }>('GET', '/tokens');
    return body.tokens.length === 3 ? body.tokens : undefined;
  });

  // Events that this release or a newer one can decode are not quarantined.
  const last = await damage([newer]);
  const again = asOperator(last);
  const attempt = (id: string, json: object) =>
    again<Problem>('POST', `/operator/events/${id}/quarantine`, { reason: 'No reason.', ...json });
  const tooNew = await attempt(newer.id, { stream: newer.stream, revision: 0 });
  expect([tooNew.status, tooNew.body.code]).toEqual([409, 'EVENT_OF_NEWER_VERSION']);

  // A start learns of it, and shows the same.
  await eventually('they are built', async () =>
    (await checksOf(last)).filter(({ name }) => name.startsWith('projection ')).every(({ ok }) => ok),
  );
  const rebuilt = creatorWith({
    client: createClient(last.url),
    keypair: before.keypair,
    token: before.token,
  });
  const { body } = await rebuilt.call<{ tokens: unknown }>('GET', '/tokens');
  expect(body.tokens).toEqual(tokens);
});
