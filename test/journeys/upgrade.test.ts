/**
 * A data folder that an earlier version of the service left opens in this one, which answers the same bytes from it and goes
 * on; and its log alone gives the same documents. The folders are in test/upgrade/recorded.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import { Ajv, type ValidateFunction } from 'ajv';
import bs58 from 'bs58';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import type { JsonValue, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { StoredDocument } from '../../src/kernel/ports/read-model.ts';
import type { DomainEvent, StreamDefinition } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec, type Recorded } from '../../src/kernel/runtime/event-codec.ts';
import { foldEvents, keysOf } from '../../src/kernel/runtime/fold-events.ts';
import { projections } from '../../src/projections/index.ts';
import { streams } from '../../src/streams/index.ts';
import { createClient } from '../support/client.ts';
import { type Creator, creatorWith, signIn } from '../support/creator.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { readGolden, schemaFile } from '../support/golden-files.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { wholeLog } from '../support/temporary-event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  answerTo,
  type Credentials,
  eventsToldTo,
  type RecordedAnswer,
  type Recording,
} from '../upgrade/recorded-calls.ts';
import { documentsOf, readDocumentLines } from '../upgrade/recorded-documents.ts';

const RECORDED = fileURLToPath(new URL('../upgrade/recorded/', import.meta.url));
const versions = readdirSync(RECORDED, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/**
 * Images that nothing uses are removed at once, as they would be from a folder that has lain there for long. Nobody
 * distributes: runs that fell due since then are new, and not what the older version left.
 */
const FASTER = {
  NONCE_ACCOUNTS_MIN: '3',
  OBSERVE_PAUSE: '200ms',
  ROLES: 'api,projector,settler,publisher',
};

/** Ids of the feed got a mark of their event behind the position; older ones go on to be taken. */
const withoutMark = (frame: string) => withoutLaterMembers(frame.replace(/^(id: \w+)\.[0-9a-f]{8}$/m, '$1'));

/** What is told since the first of these versions: the cap of a tax, flooded histories, unknown outcomes; none of them has any. */
function withoutLaterMembers(text: string): string {
  return text.replaceAll(/"(?:transferFeeMaximum|historyFloodedSince|outcomeUnknown|conclusion)":null,/g, '');
}

describe.each(versions)('what version %s left', (version) => {
  const recordedIn = (file: string) => readFile(join(RECORDED, version, file), 'utf8');
  let recording: Recording;
  let log: readonly RecordedEvent[];

  beforeAll(async () => {
    recording = JSON.parse(await recordedIn('answers.json'));
    log = (await recordedIn('log.ndjson'))
      .trimEnd()
      .split('\n')
      .map((line): RecordedEvent => deepFreeze(JSON.parse(line)));
  });

  afterEach(() => void vi.useRealTimers());

  async function folder(): Promise<string> {
    const path = await temporaryFolder();
    execFileSync('tar', ['-xzf', join(RECORDED, version, 'data.tar.gz'), '-C', path]);
    return join(path, 'data');
  }

  function open(path: string): Promise<TestService> {
    return openTestService(
      { ...FASTER, ...recording.environment },
      { folder: path, constants: { unusedImagesKeptMs: 31_000 } },
    );
  }

  /** Their wallets, in new sessions: those that were recorded are over. */
  async function creatorsOf({ url }: TestService): Promise<readonly Creator[]> {
    const client = createClient(url);
    const keypairs = recording.creators.map((secret) => Keypair.fromSecretKey(bs58.decode(secret)));
    return Promise.all(
      keypairs.map(async (keypair) =>
        creatorWith({ client, keypair, token: (await signIn(client, keypair)).token }),
      ),
    );
  }

  function credentialsOf(creators: readonly Creator[]): Credentials {
    return { operatorKey: recording.operatorKey, tokens: creators.map(({ token }) => token) };
  }

  /** By call. A promotion has fewer days to go as time goes by, so that is asked as if it were still then. */
  async function answers(service: TestService, creators: readonly Creator[]) {
    const given: [string, unknown][] = [];
    for (const { call } of recording.answers) {
      if (call.path === '/featured') vi.useFakeTimers({ toFake: ['Date'], now: recording.recordedAt });
      const answer = await answerTo(service.url, call, credentialsOf(creators));
      vi.useRealTimers();
      given.push([`${call.method} ${call.path} as ${call.as}`, comparable(answer)]);
    }
    return given;
  }

  const expected = () =>
    recording.answers.map(({ call, answer }): [string, unknown] => [
      `${call.method} ${call.path} as ${call.as}`,
      comparable(answer),
    ]);

  test('opens, answers the same bytes, and goes on, also after a restart', async () => {
    const path = await folder();
    const first = await open(path);
    const creators = await creatorsOf(first);
    expect(await answers(first, creators)).toEqual(expected());
    for (const as of ['anybody', 'operator'] as const) {
      const told = await eventsToldTo(first.url, as, credentialsOf(creators));
      const isOfThen = ({ event }: Told) => as === 'operator' || event !== LATER_TOLD_TO_THE_PUBLIC;
      const now = told.map(toldIn).filter(isOfThen);
      const then = recording.events[as].map(toldIn);
      expect(now).toEqual(then.map((event, index) => withLaterIds(event, now[index])));
    }

    const creator = creators[0] as Creator;
    const born = await creator.createToken({ name: 'After the upgrade', transferFeeAdjustable: true });
    const settings = `/distribution/${born.token.id}/settings`;
    const changed = await creator.call('PATCH', settings, { json: { burnPercent: 7.5 } });
    expect(changed.status).toBe(200);
    const { body: page } = await creator.call<{ tokens: readonly (Fields & { mintAddress: string })[] }>(
      'GET',
      '/tokens',
    );
    expect(page.tokens[0]?.mintAddress).toBe(born.mintAddress);
    expect(page.tokens.slice(1).map(inList)).toEqual(publicTokens(recording).map(inList));
    await first.close();

    const second = await open(path);
    const sameCreators = await creatorsOf(second);
    const [again] = sameCreators;
    expect((await again?.call('GET', settings))?.bytes).toEqual(changed.bytes);
    expect((await again?.call<typeof page>('GET', '/tokens'))?.body).toEqual(page);
    const old = ({ call }: Recording['answers'][number]) =>
      /^\/(tokens\/\w{40,}|metadata|distribution)/.test(call.path);
    for (const { call, answer } of recording.answers.filter(old)) {
      const given = await answerTo(second.url, call, credentialsOf(sameCreators));
      expect([call.path, comparable(given)]).toEqual([call.path, comparable(answer)]);
    }
    await second.close();

    const written = await logIn(path);
    expect(written.slice(0, log.length)).toEqual(log);
    const drafts = written.slice(log.length).filter(({ type }) => type === 'DraftIssued');
    expect(drafts.map(({ metadata }) => metadata.schemaVersion)).toEqual([4]);
    expect(second.logged.filter(({ level }) => level >= 50)).toEqual([]);
  }, 120_000);

  test('is the log that was exported', async () => {
    expect(await logIn(await folder())).toEqual(log);
  });

  test('was recorded in the schemas that golden files keep', () => {
    const checks = new Map<string, ValidateFunction>();
    for (const { position, type, data, metadata } of log) {
      const file = schemaFile({ type, version: Number(metadata.schemaVersion) });
      const validate = checks.get(file) ?? new Ajv().compile(Object(readGolden<JsonValue>(file)));
      checks.set(file, validate);
      expect([position, validate(data), validate.errors]).toEqual([position, true, null]);
    }
  });

  test('gives the same bytes of documents, wherever the version of a read model was not raised', async () => {
    const given = await documentsOf(log);
    const before = readDocumentLines(await recordedIn('documents.ndjson'));
    expect(before.flatMap(({ documents }) => documents).length).toBeGreaterThan(50);
    const sameVersion = before.filter(({ collection, version }) =>
      given.some((each) => each.collection === collection && each.version === version),
    );
    for (const { collection, documents } of sameVersion) {
      const now = given.find((each) => each.collection === collection);
      expect([collection, now?.documents]).toEqual([collection, documents]);
    }
  });

  test('is folded by today’s streams and projections into the documents that were stored', async () => {
    const codec = createEventCodec(streams);
    const recorded = log.map((event) => codec.decode(event));
    const states = new Map<string, unknown>();
    for (const event of recorded) {
      const { initial, evolve } = definitionOf(event);
      states.set(event.stream, evolve(states.get(event.stream) ?? initial, event));
    }
    expect(states.size).toBe(new Set(log.map(({ stream }) => stream)).size);

    const database = openSqliteDatabase(join(await folder(), 'levy.db'));
    onTestFinished(() => database.close());
    const readModel = createSqliteReadModel(database);
    await readModel.prepare(projections);
    for (const projection of projections) {
      const documents = new Map<string, StoredDocument>();
      for (const event of recorded) {
        for (const { key, position, document } of foldEvents(projection, documents, [event]))
          documents.set(key, deepFreeze({ position, document }));
      }
      // A version that was raised since is filled anew when the service starts.
      if (!(await readModel.isLive(projection))) continue;
      const stored = await readModel.load(projection, keysOf(projection, recorded));
      expect([projection.name, new Map(stored)]).toEqual([projection.name, documents]);
    }
  });
});

/** What must be the same in each version: of refusals the sentences may change, and ages grow. */
function comparable({ status, contentType, entityTag, body }: RecordedAnswer): unknown {
  if (status >= 400) return { status, contentType, code: (JSON.parse(body) as { code: string }).code };
  if (body.startsWith('{"name":')) return { status, contentType, body: withoutEmptyLinks(body) };
  return { status, contentType, entityTag, body: withoutLaterFields(withoutLaterMembers(body)) };
}

/** The metadata of a token had them until they got an entity tag. */
function withoutEmptyLinks(body: string): string {
  return body.replaceAll(/,"(?:external_url|twitter|telegram|website)":""/g, '');
}

const LATER_TOLD_TO_THE_PUBLIC = 'levy.distributions.configured';

type Told = ReturnType<typeof toldIn>;

function toldIn(frame: string) {
  const [id, event, data] = withoutMark(frame)
    .split('\n')
    .map((line) => line.slice(line.indexOf(': ') + 2));
  return { id, event, told: JSON.parse(data ?? '{}') as Fields & { readonly data: Fields } };
}

/** Events name their token by both ids since; those that named it already name the same one. */
function withLaterIds({ id, event, told }: Told, now: Told | undefined): Told {
  const { tokenId, mintAddress } = now?.told.data ?? {};
  const later = {
    ...(tokenId !== undefined && { tokenId }),
    ...(mintAddress !== undefined && { mintAddress }),
  };
  return { id, event, told: { ...told, data: { ...later, ...told.data } } };
}

/** Fields that a token has gained since the first of these versions: in its detail, and in lists. */
const LATER_IN_DETAIL = [
  'creator',
  'partner',
  'signature',
  'rewardToken',
  'lastDistributionAt',
  'nextDistributionAt',
  'currentSupply',
  'holderCount',
  'paidToHolders',
  'distributionState',
  'launchState',
  'marketCap',
  'featured',
  'transferFeeAdjustable',
  'immutableMetadata',
  'distributionModel',
  'minimumHoldingRequirement',
  'percentageToSellPerDistribution',
];
const LATER_IN_LISTS = [
  'creator',
  'partner',
  'decimals',
  'supply',
  'burnPercent',
  'developerFeePercent',
  'rewardToken',
  'distributionInterval',
  'nextDistributionAt',
  'currentSupply',
  'holderCount',
  'paidToHolders',
  'distributionState',
  'launchState',
  'marketCap',
  'featured',
];

type Fields = Readonly<Record<string, unknown>>;

/** The order of fields is nobody's, so that drafts, tokens and promotions are compared as objects, and everything else as bytes. */
function withoutLaterFields(body: string): unknown {
  if (body.startsWith('{"transaction":')) return JSON.parse(body);
  if (body.startsWith('{"token":')) {
    const { token } = JSON.parse(body) as { token: Fields };
    return { token: without(token, LATER_IN_DETAIL) };
  }
  if (body.startsWith('{"tokens":')) {
    const { tokens, next: _next, ...rest } = JSON.parse(body) as { tokens: readonly Fields[]; next?: string };
    return { ...rest, tokens: tokens.map(inList) };
  }
  if (body.startsWith('{"changes":')) {
    const { next: _next, ...rest } = JSON.parse(body) as { next?: string };
    return rest;
  }
  if (body.startsWith('{"featured":')) {
    const { featured } = JSON.parse(body) as { featured: readonly Fields[] };
    return { featured: featured.map((promotion) => without(promotion, ['mintAddress'])) };
  }
  return body.replaceAll(/"ageSeconds":\d+/g, '"ageSeconds":0');
}

const inList = (token: Fields) => without(token, LATER_IN_LISTS);

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function publicTokens({ answers }: Recording): readonly Fields[] {
  const first = answers.find(({ call }) => call.path === '/tokens');
  return (JSON.parse(first?.answer.body ?? '{}') as { tokens: Fields[] }).tokens;
}

async function logIn(path: string): Promise<readonly RecordedEvent[]> {
  const database = openSqliteDatabase(join(path, 'levy.db'));
  const store = createSqliteEventStore(database);
  try {
    return await wholeLog(store);
  } finally {
    await store.close();
    await database.close();
  }
}

function definitionOf({ type }: Recorded): StreamDefinition<unknown, DomainEvent> {
  const found = streams.find(({ events }) => type in events);
  if (found === undefined) throw new Error(`no stream has the event "${type}"`);
  return found as unknown as StreamDefinition<unknown, DomainEvent>;
}
