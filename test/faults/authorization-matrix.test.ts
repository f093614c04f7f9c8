/** Every route of the registries against everything that is sent to be taken for somebody. A new route is in it by itself. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { Route } from '../../src/kernel/runtime/define-route.ts';
import { queries } from '../../src/queries/index.ts';
import type { SigningKey } from '../../src/server/auth/signing-key.ts';
import { authorizationHeaders } from '../support/authorization-headers.ts';
import type { CallOptions } from '../support/client.ts';
import { type Creator, openCreator, signIn } from '../support/creator.ts';
import { createForge, type Forge, type ForgedToken } from '../support/forged-tokens.ts';
import { VENUE_ENVIRONMENT, venueProgramFile } from '../support/launching.ts';
import { listening } from '../support/listening.ts';
import { newOperatorKey, OPERATOR_KEY, operatorEntry } from '../support/operator.ts';
import { type OwnersCall, ownersCall } from '../support/owners-calls.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

const routes: readonly Route[] = [...commands, ...queries].map(({ route }) => route);
const named = (list: readonly Route[]) =>
  list.map((route) => ({ name: `${route.method} ${route.url}`, route }));
const ofAuth = (auth: Route['auth']) => named(routes.filter((route) => route.auth === auth));

/** Its header, and the beginning of its claims. */
const ACCESS_TOKEN = /eyJ[\w-]{10,}\.\w/;
/** Shorter texts may be anywhere by chance. */
const MIN_SECRET = 16;

const PARTNER_KEY = newOperatorKey();

let service: TestService;
let stranger: Creator;
/** Whom the others want to be taken for: anew for each route, so that no route uses up what another needs. */
let owner: Creator;
let forge: Forge;
/** Every token that is not good. */
let bad: readonly ForgedToken[];
let recordedBefore = 0;
let keysFetched = 0;

let keysUrl: string;
let signingKey: SigningKey;

beforeAll(async () => {
  service = await openTestService({
    LOG_LEVEL: 'trace',
    FEATURED_PRICE_PER_DAY: '1000000',
    PARTNER_KEYS: operatorEntry('acme', PARTNER_KEY),
    // Runs are recorded by hand: no process works on them.
    ROLES: 'api,projector,settler,publisher,notary',
    ...VENUE_ENVIRONMENT,
  });
  signingKey = JSON.parse(await readFile(join(service.folder, 'jwt-key.json'), 'utf8'));
  stranger = await openCreator(service);
  const forgersKeys = createServer((_request, response) => {
    keysFetched += 1;
    response.end('{"keys":[]}');
  });
  keysUrl = `http://127.0.0.1:${await listening(forgersKeys)}/keys.json`;
});

async function openOwner(): Promise<void> {
  owner = await openCreator(service);
  forge = createForge({ key: signingKey, wallet: owner.address, keysUrl });
  const { token: revoked } = await signIn(owner.client, owner.keypair);
  await owner.client.ask('POST', '/auth/logout', { token: revoked });
  bad = [...forge.forged, { kind: 'revoked', name: 'revoked', token: revoked, code: 'UNAUTHENTICATED' }];
}

beforeEach(() => {
  recordedBefore = service.recorded.length;
});

afterEach(() => {
  expect(service.logged.filter(({ level }) => level >= 50)).toEqual([]);
});

afterAll(() => {
  const log = JSON.stringify(service.logged);
  expect(ACCESS_TOKEN.exec(log)).toBeNull();
  for (const key of [OPERATOR_KEY, PARTNER_KEY]) expect(log.includes(key)).toBe(false);
  expect(service.logged.length).toBeGreaterThan(1_000);
  expect(keysFetched).toBe(0);
});

interface Told {
  readonly status: number;
  readonly code: string | undefined;
  readonly challenge: string | null;
}

/** Of a stream that is let in only the beginning. */
async function told(route: Route, { path, options = {} }: OwnersCall, as: CallOptions): Promise<Told> {
  if (route.resumes) return toldOfStream(path, as);
  const { status, headers, body, bytes } = await owner.client.call<{ code?: string } | undefined>(
    route.method,
    path,
    { ...options, ...as, headers: { ...options.headers, ...as.headers } },
  );
  requireNoSecret(Buffer.from(bytes).toString() + JSON.stringify([...headers]), as);
  return { status, code: body?.code, challenge: headers.get('www-authenticate') };
}

async function toldOfStream(path: string, { token, operatorKey }: CallOptions): Promise<Told> {
  const leaving = new AbortController();
  const { status, headers, body } = await fetch(`${service.url}${path}`, {
    signal: leaving.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(operatorKey === undefined ? {} : { 'x-operator-key': operatorKey }),
    },
  });
  const code = status === 200 ? undefined : ((await new Response(body).json()) as { code: string }).code;
  leaving.abort();
  return { status, code, challenge: headers.get('www-authenticate') };
}

/** Nothing is told back of what was sent to be let in, nor of what would have been right. */
function requireNoSecret(text: string, { token, operatorKey }: CallOptions): void {
  for (const secret of [token, operatorKey, owner.token, OPERATOR_KEY]) {
    const isSecret = secret !== undefined && secret.length >= MIN_SECRET;
    if (isSecret && text.includes(secret)) throw new Error(`an answer holds ${secret}`);
  }
}

/** Where they make no difference, one of each kind is enough. */
function someBad(): readonly ForgedToken[] {
  const kinds = new Map(bad.map((token) => [token.kind, token]));
  return [...kinds.values()];
}

/** Sends the call with each of the tokens, some at a time. */
async function withEach(
  tokens: readonly { readonly name: string; readonly token: string }[],
  send: (token: string) => Promise<Told>,
): Promise<readonly (Told & { readonly name: string })[]> {
  const answers = [];
  for (let at = 0; at < tokens.length; at += 8) {
    const some = tokens.slice(at, at + 8).map(async ({ name, token }) => ({ name, ...(await send(token)) }));
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

function expectNothingRecorded(): void {
  expect(service.recorded.slice(recordedBefore)).toEqual([]);
}

describe.each(ofAuth('wallet'))('$name, for wallets alone,', ({ name, route }) => {
  let call: OwnersCall;

  beforeAll(async () => {
    await openOwner();
    call = await ownersCall(name, owner, service);
  });

  test('refuses every token that is not good, each with the same words', async () => {
    const answers = await withEach(bad, (token) => told(route, call, { token }));
    expect(answers).toEqual(bad.map(({ name, code }) => ({ name, status: 401, code, challenge: 'Bearer' })));
    expectNothingRecorded();
  });

  test('refuses whatever header is no good bearer token', async () => {
    const refused = authorizationHeaders(forge.good()).map(async ({ name, lines, status }) => {
      const text = requestText(route.method, call.path, {}, '').replace('\r\n\r\n', `\r\n${lines}\r\n`);
      const answer = await exchange(service.url, Buffer.from(text, 'latin1'));
      requireNoSecret(answer.text, { token: forge.good() });
      return { name, status: answer.status === status ? 'as expected' : answer.status };
    });
    for (const answer of await Promise.all(refused)) {
      expect(answer).toEqual({ name: answer.name, status: 'as expected' });
    }
    expectNothingRecorded();
  });

  test("refuses operators' keys, wherever they stand", async () => {
    const unauthenticated = { status: 401, code: 'UNAUTHENTICATED', challenge: 'Bearer' };
    for (const as of [{}, { operatorKey: OPERATOR_KEY }, { token: OPERATOR_KEY }]) {
      expect(await told(route, call, as)).toEqual(unauthenticated);
    }
    expectNothingRecorded();
  });

  test('lets no other wallet near what is its owner’s, also not with an operator’s key', async () => {
    if (call.stranger === undefined) return;
    for (const as of [{}, { operatorKey: OPERATOR_KEY }]) {
      const { code } = await told(route, call, { ...as, token: stranger.token });
      expect(code).toBe(call.stranger);
    }
    expectNothingRecorded();
  });

  test('does for its owner what it refused all others', async () => {
    const { code } = await told(route, call, { token: call.token ?? owner.token });
    const lacksVenue = route.url.startsWith('/launchpad/') && venueProgramFile === undefined;
    expect(code).toBe(lacksVenue ? call.withoutVenue : call.ownerIsTold);
  });
});

describe.each(ofAuth('operator'))('$name, for operators alone,', ({ name, route }) => {
  test('refuses every access token, good or not, and as a key too', async () => {
    await openOwner();
    const call = await ownersCall(name, owner, service);
    const recorded = service.recorded.length;
    const tokens = [...someBad(), { name: 'good', token: forge.good() }, { name: 'own', token: owner.token }];
    const refused = tokens.map(({ name }) => ({
      name,
      status: 401,
      code: 'UNAUTHENTICATED',
      challenge: 'ApiKey header="X-Operator-Key"',
    }));
    expect(await withEach(tokens, (token) => told(route, call, { token }))).toEqual(refused);
    expect(await withEach(tokens, (operatorKey) => told(route, call, { operatorKey }))).toEqual(refused);
    expect(service.recorded.slice(recorded)).toEqual([]);
    expect((await told(route, call, { operatorKey: OPERATOR_KEY })).status).toBe(200);
  });
});

describe.each(ofAuth('partner'))('$name, for partners alone,', ({ route }) => {
  test('refuses whoever is no partner, signed in or an operator, and tells a partner of itself', async () => {
    await openOwner();
    const call: OwnersCall = { path: route.url };
    const recorded = service.recorded.length;
    const refused = { status: 401, code: 'UNAUTHENTICATED', challenge: 'ApiKey header="X-Partner-Key"' };
    const withKey = (key: string): CallOptions => ({ headers: { 'x-partner-key': key } });
    const bearers = [...someBad().map(({ token }) => token), forge.good(), owner.token];
    for (const token of bearers) expect(await told(route, call, { token })).toEqual(refused);
    expect(await told(route, call, { operatorKey: OPERATOR_KEY })).toEqual(refused);
    for (const key of ['', 'wrong', owner.token, OPERATOR_KEY, `${PARTNER_KEY}x`]) {
      expect(await told(route, call, withKey(key))).toEqual(refused);
    }
    expect((await told(route, call, withKey(PARTNER_KEY))).status).toBe(200);
    expect(service.recorded.slice(recorded)).toEqual([]);
  });
});

describe.each(ofAuth('optional'))('$name, for anybody,', ({ name, route }) => {
  test('refuses every token that is not good, where none at all is no hindrance', async () => {
    await openOwner();
    const call = await ownersCall(name, owner, service);
    expect((await told(route, call, {})).status).toBe(200);
    expect((await told(route, call, { token: stranger.token })).status).toBe(200);
    const answers = await withEach(bad, (token) => told(route, call, { token }));
    expect(answers).toEqual(bad.map(({ name, code }) => ({ name, status: 401, code, challenge: 'Bearer' })));
    await expectOperatorsSeeMore(route, call);
  });
});

describe.each(ofAuth('none'))('$name, for everybody,', ({ route }) => {
  test('does not look at tokens', async () => {
    await openOwner();
    const recorded = service.recorded.length;
    // Unreadable where there is a body, so that nothing is recorded.
    const unreadable = { body: '{', headers: { 'content-type': 'application/json' } };
    const call: OwnersCall = {
      path: route.url.replace(/:\w+/g, owner.address),
      options: route.method === 'GET' ? {} : unreadable,
    };
    const anonymous = await told(route, call, {});
    const answers = await withEach(someBad(), (token) => told(route, call, { token }));
    expect(answers).toEqual(someBad().map(({ name }) => ({ name, ...anonymous })));
    expect(service.recorded.slice(recorded)).toEqual([]);
    await expectOperatorsSeeMore(route, call);
  });
});

/** A wrong key is no key: it is refused where none would be needed. */
async function expectOperatorsSeeMore(route: Route, call: OwnersCall): Promise<void> {
  if (!route.operatorsSeeMore) return;
  for (const operatorKey of ['', 'wrong', owner.token, `${OPERATOR_KEY}x`]) {
    expect((await told(route, call, { operatorKey })).code).toBe('UNAUTHENTICATED');
  }
  expect((await told(route, call, { operatorKey: OPERATOR_KEY })).status).toBe(200);
}
