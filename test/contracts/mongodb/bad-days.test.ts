import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MongoServerError } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { startError, storeError, troubleOf } from '../../../src/adapters/mongodb/errors.ts';
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { OperatorError, StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { loggerTo, silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { BlobStoreSettings } from '../../../src/kernel/ports/technology.ts';
import { describeOnEach } from '../../support/describe-on-mongo.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { openMongoAnswers } from '../../support/mongo-answers.ts';
import { mongoServers, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

tellOfSkippedMongo(1);

type Settings = Omit<BlobStoreSettings, 'content'>;
const images = {
  open: (settings: Settings) => mongoDb['blob-store'].open({ ...settings, content: 'image' }),
};

async function refusalOf(settings: Settings): Promise<string> {
  const refusal = await images.open(settings).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OperatorError);
  return String(refusal);
}

const UNAUTHORIZED = {
  ok: 0,
  code: 13,
  codeName: 'Unauthorized',
  errmsg: 'not authorized on levy to execute command',
};
/** The port of a server on which no index may be made. */
const openWithoutIndexes = () =>
  openMongoAnswers((command) => ('createIndexes' in command ? UNAUTHORIZED : {}));

describe('a start is refused with a sentence', () => {
  test('where nobody listens', async () => {
    const url = `mongodb://ann:hunter2@127.0.0.1:${await freePort()}/levy`;
    const refusal = await refusalOf({ url });
    expect(refusal).toContain('does not respond: connect ECONNREFUSED');
    expect(refusal).not.toContain('hunter2');
  });

  test('where the host is unknown', async () => {
    await expect(images.open({ url: 'mongodb://no-such-host.invalid/levy' })).rejects.toThrow(
      'does not respond',
    );
  });

  test.each([
    [9, 'is older than 5.0: upgrade it'],
    [6, 'requires MongoDB 5.0 or later'],
  ])('where the server speaks version %d of the protocol', async (maxWireVersion, sentence) => {
    const port = await openMongoAnswers(() => ({ maxWireVersion }));
    expect(await refusalOf({ url: `mongodb://127.0.0.1:${port}/levy` })).toContain(sentence);
  });

  test('where the user may not make an index', async () => {
    const port = await openWithoutIndexes();
    expect(await refusalOf({ url: `mongodb://127.0.0.1:${port}/levy` })).toContain(
      'Grant the role readWrite on the database',
    );
  });

  test('where the file with the authorities is missing', async () => {
    const caFile = join(await temporaryFolder(), 'ca.crt');
    await expect(openMongo({ url: 'mongodb://127.0.0.1/levy', caFile })).rejects.toThrow('cannot be read');
  });
});

describe('a start that may wait', () => {
  const waitingLog = () => {
    const reports: { readonly message: string; readonly reason?: string }[] = [];
    const waiting = loggerTo((message, details) => void reports.push({ message, ...details }));
    return { reports, waiting };
  };

  test('tells what it waits for, without the password', async () => {
    const port = await freePort();
    const { reports, waiting } = waitingLog();
    const url = `mongodb://ann:hunter2@127.0.0.1:${port}/levy`;
    const { store, trouble } = await images.open({ url, waiting });
    onTestFinished(() => store.close());
    expect(trouble?.()).toMatchObject({
      kind: 'not answering',
      where: 'MongoDB',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(reports[0]).toMatchObject({
      message: 'MongoDB is unavailable, retrying',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(JSON.stringify(reports)).not.toContain('hunter2');
    await expect(store.has('a'.repeat(64))).rejects.toThrow(StoreUnavailable);
  });

  test('goes on by itself, and makes its indexes first', async () => {
    const port = await freePort();
    const { reports, waiting } = waitingLog();
    const { store, probe, trouble } = await images.open({
      url: `mongodb://127.0.0.1:${port}/levy`,
      waiting,
    });
    onTestFinished(() => store.close());
    await expect(probe()).rejects.toThrow();
    const commands: string[] = [];
    await openMongoAnswers(
      (command) => {
        commands.push(Object.keys(command)[0] ?? '');
        return { n: 1 };
      },
      undefined,
      port,
    );
    await eventually('it answers', async () => trouble?.() === undefined);
    await probe();
    const [first] = commands.filter((name) => name === 'createIndexes' || name === 'insert');
    expect(first).toBe('createIndexes');
    expect(commands).toContain('insert');
    expect(reports.at(-1)?.message).toBe('MongoDB is available');
  });

  test('uses no server that turns out to be too old, and says what to do', async () => {
    const port = await freePort();
    const { store, probe, trouble } = await images.open({
      url: `mongodb://127.0.0.1:${port}/levy`,
      waiting: waitingLog().waiting,
    });
    onTestFinished(() => store.close());
    await openMongoAnswers(() => ({ maxWireVersion: 9 }), undefined, port);
    await eventually('the fault is reported', async () =>
      trouble?.()?.reason.includes('is older than 5.0: upgrade it'),
    );
    expect(trouble?.()?.whatToDo).toContain('restart this process');
    await expect(probe()).rejects.toThrow();
  });

  test('is refused at once where what the operator wrote is wrong', async () => {
    const port = await openMongoAnswers(() => ({ maxWireVersion: 9 }));
    const url = `mongodb://127.0.0.1:${port}/levy`;
    await expect(images.open({ url, waiting: waitingLog().waiting })).rejects.toThrow('is older than 5.0');
    const refusing = await openWithoutIndexes();
    await expect(
      images.open({ url: `mongodb://127.0.0.1:${refusing}/levy`, waiting: waitingLog().waiting }),
    ).rejects.toThrow('Grant the role readWrite');
  });
});

test.each([
  [14_031, 'OutOfDiskSpace', 'disk full'],
  [18, 'AuthenticationFailed', 'refused'],
  [13, 'Unauthorized', 'refused'],
  [10_107, 'NotWritablePrimary', 'not answering'],
  [64, 'WriteConcernTimeout', 'not answering'],
  [1, 'InternalError', 'not answering'],
])('code %d (%s) makes the store unavailable, for the operator: %s', (code, codeName, kind) => {
  const error = new MongoServerError({ code, codeName, errmsg: 'refused' });
  expect(troubleOf(error)).toMatchObject({ kind, where: 'MongoDB' });
  expect(storeError(error, 'images cannot be stored')).toBeInstanceOf(StoreUnavailable);
  expect(startError(error, 'mongodb://db/levy')).toBeInstanceOf(OperatorError);
});

test('an error that says nothing of the server is handed on as it is', () => {
  const errors = [
    new Error('no'),
    new TypeError('no'),
    new MongoServerError({ code: 11_000, errmsg: 'duplicate' }),
  ];
  for (const error of errors) {
    expect(storeError(error, 'x')).toBe(error);
    expect(troubleOf(error)).toBeUndefined();
  }
});

describeOnEach({ count: 1, kinds: mongoServers, ability: 'users' }, (kind) => {
  test('a wrong password is refused with a sentence, and the right one from a file is taken', async () => {
    const server = await startMongoServer({ kind });
    const admin = await server.database(server.urlOf('admin'));
    await admin.command({
      createUser: 'levy',
      pwd: 'hunter2',
      roles: [{ role: 'readWrite', db: 'levy' }],
      writeConcern: { w: 'majority', j: true },
    });
    await server.kill();
    await server.start(['--auth']);
    const url = `${server.urlOf('levy')}?authSource=admin`;
    const user = { name: 'levy', password: 'wrong-hunter' };
    const refusal = await refusalOf({ url, user, waiting: silentLogger });
    expect(refusal).toContain('rejected the credentials');
    expect(refusal).not.toContain('hunter');
    const { store } = await images.open({ url, user: { ...user, password: 'hunter2' } });
    onTestFinished(() => store.close());
    const bytes = randomBytes(10);
    expect(await store.has(await store.put([bytes]))).toBe(true);
  });
});

test.skipIf(mongoServers.length === 0)(
  'two ports at one address share one client, which ends with the last',
  async () => {
    const server = await startMongoServer();
    const url = server.newUrl();
    const [one, other] = await Promise.all([openMongo({ url }), openMongo({ url })]);
    expect(one?.database.client).toBe(other?.database.client);
    await one?.close();
    await one?.close();
    await other?.database.command({ ping: 1 });
    await other?.close();
    await expect(other?.database.command({ ping: 1 })).rejects.toThrow();
    const again = await openMongo({ url });
    await again.database.command({ ping: 1 });
    await again.close();
  },
);
