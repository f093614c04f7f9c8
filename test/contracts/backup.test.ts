/** Backups and restores: what they hold, what refuses them, and what an interruption leaves. */
import { execFileSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { eventStoreDb } from '../../src/adapters/eventstoredb/index.ts';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { runningSource } from '../../src/app/backups.ts';
import { dataLayout, requireServiceFolders } from '../../src/app/data-folder.ts';
import { openLog } from '../../src/app/stores.ts';
import { ContentDamaged, FORMAT } from '../../src/kernel/ports/errors.ts';
import type { JsonObject, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { backUp, writeBackup } from '../../src/levy/backup-command.ts';
import { checkBackup } from '../../src/levy/backup-folder.ts';
import { check } from '../../src/levy/check.ts';
import { restore, restoreFiles } from '../../src/levy/restore-command.ts';
import { unpaced } from '../../src/operations/archive/background-pace.ts';
import { putNamedFiles } from '../../src/operations/archive/put-files.ts';
import { type BackupEntry, type BackupSource, takeBackup } from '../../src/operations/archive/take-backup.ts';
import { entriesIn, tarOf } from '../../src/operations/archive/tar.ts';
import { readConfiguration } from '../../src/operations/config/configuration.ts';
import { logFolder, serveOrigin } from '../../src/proof/transparency/log-files.ts';
import { runAllotted, runClosed } from '../support/distribution-examples.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { temporaryEventStore, wholeLog } from '../support/temporary-event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const IMAGE = Buffer.from('a picture');
const LOG = 'levy.example/log';
const SEED = new Map([['master-seed', Buffer.from('seed')]]);

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const environment = (folder: string, more = {}) => ({
  DATA_DIR: folder,
  PUBLIC_URL: 'http://levy.example',
  ...more,
});

type Change = (source: BackupSource) => Partial<BackupSource>;
type Entries = AsyncIterable<BackupEntry>;

/** Stores of a service in which one run is closed and one is allotted, with an embedded chain and a transparency log. */
async function openService() {
  const store = await temporaryEventStore();
  const folder = await temporaryFolder();
  const blobs = await openFileBlobStore(join(folder, 'ledgers'));
  onTestFinished(() => blobs.close());
  const images = await openFileBlobStore(join(folder, 'images'), 'image');
  await images.put([IMAGE]);
  const put = (text: string) => blobs.put([Buffer.from(text)]);
  const names = {
    closed: await put('the allotment of the closed run'),
    settlement: await put('its settlement'),
    open: await put('the allotment of the open run'),
  };
  await serveOrigin(blobs, LOG);
  await blobs.putFile(`${logFolder(LOG)}checkpoint`, Buffer.from('signed'));
  await blobs.putFile(`${logFolder(LOG)}tile/0/000`, Buffer.alloc(64, 1));
  let count = 0;
  const record = (stream: string, type = 'Happened', data: JsonObject = {}) =>
    store.append(stream, 'none', [{ id: idOf(count++), type, data, metadata: {} }]);
  await record('run-1', 'RunAllotted', { ...runAllotted.data, ledger: names.closed });
  const carried = { ...runClosed.data.carried, ledger: names.closed, settlement: names.settlement };
  await record('distribution-1', 'RunClosed', { ...runClosed.data, carried });
  await record('run-2', 'RunAllotted', { ...runAllotted.data, ledger: names.open });
  const localChain = {
    async copyTo(target: string, atThatMoment?: () => Promise<void>) {
      await atThatMoment?.();
      await writeFile(target, 'the whole chain');
    },
  };
  const entries =
    (change: Change = () => ({})) =>
    (scratch: string): Entries => {
      const source = runningSource(store, { blobs, images }, localChain);
      const options = { layout: dataLayout, scratch, version: '1', now: () => new Date(), pace: unpaced };
      return takeBackup({ ...source, ...change(source) }, options);
    };
  return {
    store,
    blobs,
    folder,
    images,
    names,
    record,
    entries,
    pathOf: (name: string) => join(folder, dataLayout.blob(name)),
    async backUp(change?: Change, secrets: ReadonlyMap<string, Uint8Array> = new Map()) {
      const place = join(await temporaryFolder(), 'backup');
      return { place, ...(await writeBackup(place, entries(change), { secrets })) };
    },
  };
}

type Service = Awaited<ReturnType<typeof openService>>;
let service: Service;

beforeEach(async () => {
  service = await openService();
});

async function eventsIn(folder: string): Promise<readonly RecordedEvent[]> {
  const log = await openLog(environment(folder));
  const events: RecordedEvent[] = [];
  for await (const event of log.events()) events.push(event);
  await log.close();
  return events;
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

async function contentOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const content = new Map<string, string>();
  for (const path of await pathsIn(folder)) {
    const bytes = await readFile(join(folder, path));
    content.set(path, createHash('sha256').update(bytes).digest('hex'));
  }
  return content;
}

const requireStartable = (folder: string) => requireServiceFolders(readConfiguration(environment(folder)));

/** The backup in the form in which the API sends it. */
const sent = (entries: Entries): Entries => entriesIn(tarOf(entries));

describe('a backup', () => {
  test('is a data folder: restored, it has the same events at the same positions and the same files', async () => {
    const { place } = await service.backUp(undefined, SEED);
    const target = await temporaryFolder();
    const restored = await restore(place, { env: environment(target) });
    expect(restored).toMatchObject({
      hasSecrets: true,
      lacksChain: false,
      missingLedgers: [],
      stoppedLog: LOG,
    });
    expect(await eventsIn(target)).toEqual(await wholeLog(service.store));
    const [from, to] = [await contentOf(place), await contentOf(target)];
    expect([...to.keys()]).toEqual(
      [...from.keys()].filter((path) => !/^(backup\.json|SHA256SUMS)$/.test(path)),
    );
    for (const [path, sha256] of to) expect([path, from.get(path)]).toEqual([path, sha256]);
    for (const path of await pathsIn(service.folder)) expect(to.has(path), path).toBe(true);
    expect(await readFile(join(target, 'chain', 'chain.db'), 'utf8')).toBe('the whole chain');
    requireStartable(target);
  });

  test('has a list of its files that sha256sum checks, and says when and from what it was taken', async () => {
    const { place, info } = await service.backUp();
    execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: place });
    const head = await service.store.head();
    expect(info).toMatchObject({ events: 3, head, checkpoint: 'signed', unreadable: 0, damaged: [] });
    expect(JSON.parse(await readFile(join(place, 'backup.json'), 'utf8'))).toEqual(info);
  });

  test('is the same when it is sent as a tar stream, with every event of a log in many pieces', async () => {
    for (let number = 10; number < 310; number += 1)
      await service.record(`token-${number}`, 'Happened', { text: 'x'.repeat(2_000) });
    const place = join(await temporaryFolder(), 'backup');
    const paths: string[] = [];
    async function* watched(scratch: string): Entries {
      for await (const entry of sent(service.entries()(scratch))) {
        paths.push(entry.path);
        yield entry;
      }
    }
    await writeBackup(place, watched);
    expect(paths.filter((path) => path.startsWith('log/'))).toHaveLength(3);
    expect(await eventsIn(place)).toEqual(await wholeLog(service.store));
    const timeless = ([path]: readonly [string, string]) =>
      !/backup\.json|SHA256SUMS|restored|levy\.db/.test(path);
    const [one, other] = [await contentOf(place), await contentOf((await service.backUp()).place)];
    expect([...one].filter(timeless)).toEqual([...other].filter(timeless));
  });

  test('ends where the log did while the chain stood still, however much is recorded later', async () => {
    const { place } = await service.backUp(({ copyChain }) => ({
      async copyChain(target, atThatMoment) {
        await service.record('token-4');
        await copyChain?.(target, atThatMoment);
        await service.record('token-5');
      },
    }));
    expect((await checkBackup(place)).info).toMatchObject({ events: 4 });
    expect((await eventsIn(place)).map(({ stream }) => stream)).toContain('token-4');
  });

  test('reads what was signed, then fixes the end of the log, then reads the ledgers, which no cut disturbs', async () => {
    const calls: string[] = [];
    await service.backUp((source) => ({
      holdCuts: () => {
        calls.push('hold');
        return () => void calls.push('let go');
      },
      head: () => {
        calls.push('end');
        return source.head();
      },
      blobs: {
        ...source.blobs,
        getFile(name) {
          calls.push(name.split('/').at(-1) ?? '');
          return source.blobs.getFile(name);
        },
        size(name) {
          calls.push('ledger');
          return source.blobs.size(name);
        },
      },
    }));
    const order = ['hold', 'checkpoint', '000', 'end', 'let go', 'ledger'].map((call) => calls.indexOf(call));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order).not.toContain(-1);
  });

  test('of a log that counts bytes leaves out leases and snapshots, and of one that counts events nothing', async () => {
    await service.record('lease-settler');
    await service.record('snapshot-token-1');
    const whole = await service.backUp();
    const part = await service.backUp(() => ({ extentOf: () => ({ unit: 'bytes', amount: 7 }) }));
    expect((await eventsIn(whole.place)).map(({ stream }) => stream)).toContain('lease-settler');
    expect((await eventsIn(part.place)).map(({ stream }) => stream)).toEqual([
      'run-1',
      'distribution-1',
      'run-2',
    ]);
    expect(part.info.events).toBe(3);
  });

  test('keeps events that nobody can read as they are, and counts them', async () => {
    const events = await wholeLog(service.store);
    const raw = { data: Buffer.from('{').toString('base64'), metadata: Buffer.from('{}').toString('base64') };
    const [first, second, third] = events;
    async function* unread() {
      if (first === undefined || second === undefined || third === undefined) throw new Error('three events');
      yield first;
      yield { ...second, data: {}, unreadable: 'it is not JSON', raw };
      yield third;
    }
    const { place, info } = await service.backUp(() => ({ events: unread }));
    expect(info).toMatchObject({ events: 3, unreadable: 1 });
    const target = await temporaryFolder();
    await restore(place, { env: environment(target) });
    expect((await eventsIn(target))[1]).toMatchObject({ id: second?.id, raw });
  });
});

describe('a ledger file or an image', () => {
  test('that the store lacks is named, of a closed run, of its settlement and of an open run', async () => {
    const names = Object.values(service.names).sort();
    for (const name of names) await rm(service.pathOf(name));
    const { place, missingLedgers } = await service.backUp();
    expect(missingLedgers.toSorted()).toEqual(names);
    const env = environment(await temporaryFolder());
    expect((await restore(place, { env })).missingLedgers.toSorted()).toEqual(names);
    const report = await check(environment(place));
    for (const name of names)
      expect(JSON.stringify(report)).toContain(`the ledger file ${name}, which the log names, is missing`);
    expect(report.holds).toBe(false);
  });

  test('whose stored bytes do not match its name is named, and everything else is backed up', async () => {
    const [ledger, image] = [service.names.settlement, hash('sha256', IMAGE)];
    await writeFile(service.pathOf(ledger), 'altered');
    await writeFile(join(service.folder, dataLayout.image(image)), 'altered');
    const { place, info, missingLedgers } = await service.backUp();
    expect(missingLedgers).toEqual([]);
    expect(info.damaged).toEqual([
      { what: 'ledger file', name: ledger },
      { what: 'image', name: image },
    ]);
    expect((await pathsIn(place)).filter((path) => path.includes('blobs'))).toHaveLength(2);
    const { parts, holds } = await check(environment(place));
    expect(holds).toBe(false);
    expect(parts[0]?.obstacles.map(({ problem }) => problem)).toEqual([
      expect.stringContaining(`the ledger file ${ledger} in the store of ledgers is damaged`),
      expect.stringContaining(`the image ${image} in the store of images is damaged`),
    ]);
  });

  test('that changes while it is copied ends the backup; one that was removed before is left out', async () => {
    const large = await service.blobs.put([Buffer.alloc(600_000)]);
    const changing: Change = ({ blobs }) => ({
      blobs: {
        ...blobs,
        async read(name, offset, length) {
          if (name === large && offset > 0) throw new ContentDamaged('ledger file', name, 'there');
          return blobs.read(name, offset, length);
        },
      },
    });
    await expect(service.backUp(changing)).rejects.toThrow(
      `the ledger file ${large} changed while it was copied; run the backup again`,
    );
    const removed: Change = ({ blobs }) => ({
      blobs: { ...blobs, size: async (name) => (name === large ? undefined : blobs.size(name)) },
    });
    const { place } = await service.backUp(removed);
    expect(await pathsIn(place)).not.toContain(dataLayout.blob(large));
  });
});

describe('a backup is not written', () => {
  test.each([
    '../levy.db',
    '/etc/passwd',
    'levy.db/../../x',
    'ledgers/blobs/aa/aa',
    'ledgers/named/../x',
    'images/picture.jpg',
    'secrets/seed',
    'incomplete',
    'SHA256SUMS',
    'levy.db',
    'log/1.ndjson',
  ])('with the path %s', async (path) => {
    async function* strange(): Entries {
      yield { path, size: IMAGE.length, chunks: [IMAGE] };
    }
    for (const entries of [strange, () => sent(strange())]) {
      const place = join(await temporaryFolder(), 'backup');
      await expect(writeBackup(place, entries)).rejects.toThrow(
        `the backup contains an unexpected or invalid file, "${path}"`,
      );
      expect(await readdir(dirname(place))).toEqual([]);
    }
  });

  test('over something else', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mine'), '');
    await expect(writeBackup(folder, service.entries())).rejects.toThrow('a backup replaces nothing');
    await expect(writeBackup(join(folder, 'mine'), service.entries())).rejects.toThrow('ENOTDIR');
    const place = join(folder, 'backup');
    await mkdir(`${place}2.partial`);
    await writeFile(join(`${place}2.partial`, 'mine'), '');
    await expect(writeBackup(`${place}2`, service.entries())).rejects.toThrow('contains mine');
    expect((await readdir(folder)).sort()).toEqual(['backup2.partial', 'mine']);
  });

  test('of an empty log, of a service without its key, or with secrets that cannot be read', async () => {
    const nothing: Change = () => ({ async *events() {} });
    await expect(service.backUp(nothing)).rejects.toThrow('the event log is empty');
    const folder = await temporaryFolder();
    const options = { env: environment(folder) };
    const place = join(folder, 'backup');
    await expect(backUp(place, { ...options, service: 'http://127.0.0.1:1' })).rejects.toThrow(
      '--service also needs --operator-key-file',
    );
    await expect(backUp(place, { ...options, withSecrets: true })).rejects.toThrow(
      `--with-secrets cannot read the file "${join(folder, 'master-seed')}"`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a backup that is killed between two of its files leaves a folder that is refused, and the next one is whole', async () => {
  const place = join(await temporaryFolder(), 'backup');
  const partial = `${place}.partial`;
  const copies = await temporaryFolder();
  let count = 0;
  async function* watched(scratch: string): Entries {
    for await (const entry of service.entries()(scratch)) {
      yield entry;
      // A kill would leave this.
      await cp(partial, join(copies, String(count)), { recursive: true });
      count += 1;
    }
  }
  await writeBackup(place, watched, { secrets: SEED });
  expect(count).toBeGreaterThan(8);
  await rm(place, { recursive: true });
  for (let killed = 0; killed < count; killed += 3) {
    await cp(join(copies, String(killed)), partial, { recursive: true });
    expect(() => requireStartable(partial)).toThrow(/is incomplete.*run the same command again/);
    await expect(restore(partial, { env: environment(await temporaryFolder()) })).rejects.toThrow();
    await writeBackup(place, service.entries(), { secrets: SEED });
    expect(await readdir(dirname(place))).toEqual(['backup']);
    await rm(place, { recursive: true });
  }
  // Killed when all was verified, before it took its name.
  await writeBackup(place, service.entries(), { secrets: SEED });
  await cp(place, partial, { recursive: true });
  await rm(place, { recursive: true });
  expect(() => requireStartable(partial)).toThrow('is a backup, in which no service can run');
  await writeBackup(place, service.entries(), { secrets: SEED });
  expect(await readdir(dirname(place))).toEqual(['backup']);
});

describe('no service starts', () => {
  test('in a backup, nor on its log, its ledgers or its images', async () => {
    const { place } = await service.backUp();
    const own = environment(await temporaryFolder());
    for (const env of [
      environment(place),
      { ...own, EVENT_STORE_URL: `sqlite:${join(place, 'levy.db')}` },
      { ...own, LEDGER_STORE_URL: `file:${join(place, 'ledgers')}` },
      { ...own, IMAGE_STORE_URL: `file:${join(place, 'images')}` },
    ])
      expect(() => requireServiceFolders(readConfiguration(env))).toThrow(
        `"${place}" is a backup, in which no service can run: restore it into an empty folder with "levy restore".`,
      );
    for (const one of ['backup.json', 'SHA256SUMS']) {
      const copy = await temporaryFolder();
      await cp(place, copy, { recursive: true });
      await rm(join(copy, one));
      expect(() => requireStartable(copy)).toThrow('is a backup');
    }
  });
});

describe('of a backup', () => {
  let place: string;

  beforeEach(async () => {
    ({ place } = await service.backUp(undefined, SEED));
  });

  /** Both name the file; the restore leaves nothing. */
  async function expectRefused(path: string, reason: string): Promise<void> {
    const { parts, holds } = await check(environment(place));
    expect([path, holds]).toEqual([path, false]);
    const problems = parts.flatMap(({ obstacles }) => obstacles.map(({ problem }) => problem));
    const named = problems.filter((problem) => problem.includes(path));
    expect(named, path).toContainEqual(expect.stringContaining(reason));
    const target = await temporaryFolder();
    await expect(restore(place, { env: environment(target) }), path).rejects.toThrow(path);
    expect(await readdir(target)).toEqual([]);
  }

  test('every file that is altered, cut or missing is named, and the backup is not restored', async () => {
    const paths = (await pathsIn(place)).filter((path) => !/SHA256SUMS|backup\.json/.test(path));
    expect(paths).toHaveLength(11);
    for (const path of paths) {
      const file = join(place, path);
      const whole = await readFile(file);
      const altered = Buffer.from(whole);
      const middle = Math.floor(whole.length / 2);
      altered[middle] = (altered[middle] ?? 0) ^ 1;
      // The size is compared for all files alike.
      const sizes = path === 'levy.db' ? [whole.subarray(0, -1), Buffer.alloc(0)] : [];
      for (const bytes of [altered, ...sizes]) {
        await writeFile(file, bytes);
        await expectRefused(path, 'is damaged');
      }
      await rm(file);
      await expectRefused(path, 'is missing');
      await writeFile(file, whole);
    }
    expect((await check(environment(place))).holds).toBe(true);
  });

  test.each(['backup.json', 'SHA256SUMS'])('%s is needed whole', async (path) => {
    const file = join(place, path);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, -20));
    await expectRefused(path, '');
    await rm(file);
    await expectRefused(path, '');
  });

  test('a link in the place of a file is not followed', async () => {
    for (const path of ['levy.db', 'master-seed', dataLayout.blob(service.names.open)]) {
      const file = join(place, path);
      const aside = join(await temporaryFolder(), 'aside');
      await cp(file, aside);
      await rm(file);
      await symlink(aside, file);
      await expectRefused(path, 'is neither a file nor a folder');
      await rm(file);
      await cp(aside, file);
    }
    const ledgers = join(await temporaryFolder(), 'ledgers');
    await cp(join(place, 'ledgers'), ledgers, { recursive: true });
    await rm(join(place, 'ledgers'), { recursive: true });
    await symlink(ledgers, join(place, 'ledgers'));
    await expectRefused('ledgers', 'is neither a file nor a folder');
  });

  test('a file that does not belong to it is refused', async () => {
    await writeFile(join(place, 'ledgers', 'mine'), 'mine');
    await expectRefused('ledgers/mine', 'is not listed in SHA256SUMS');
  });

  test('the list names no path outside the folder', async () => {
    const list = join(place, 'SHA256SUMS');
    const outside = join(dirname(place), 'outside');
    await writeFile(outside, 'x');
    const sha256 = createHash('sha256').update('x').digest('hex');
    await writeFile(list, `${await readFile(list, 'utf8')}${sha256}  ../outside\n`);
    await expectRefused('SHA256SUMS', 'is damaged');
  });
});

describe('a restore', () => {
  test('that is killed between two of its files keeps a service from starting, and is done by running it again', async () => {
    const { place } = await service.backUp(undefined, SEED);
    const whole = await temporaryFolder();
    await restore(place, { env: environment(whole) });
    const expected = await contentOf(whole);
    const paths = [...expected.keys()];
    for (let written = 0; written <= paths.length; written += 3) {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'incomplete'), 'levy restore\n');
      for (const path of paths.slice(0, written))
        await cp(join(whole, path), join(folder, path), { recursive: true });
      expect(() => requireStartable(folder)).toThrow(/is incomplete.*run the same command again/);
      expect((await check(environment(folder))).holds).toBe(false);
      const options = { env: environment(folder) };
      await expect(backUp(join(await temporaryFolder(), 'backup'), options)).rejects.toThrow('is incomplete');
      await restore(place, { env: environment(folder) });
      requireStartable(folder);
      expect(await contentOf(folder)).toEqual(expected);
    }
  });

  test('is refused into a folder that holds something', async () => {
    const { place } = await service.backUp();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'levy.db'), '');
    await expect(restore(place, { env: environment(folder) })).rejects.toThrow(
      `the folder "${folder}" must be empty, but contains levy.db; move its content away`,
    );
    const other = environment((await service.backUp()).place);
    await expect(restore(place, { env: other })).rejects.toThrow('and more; move its content away');
    expect(await readdir(folder)).toEqual(['levy.db']);
    expect((await checkBackup(other.DATA_DIR)).faults).toEqual([]);
  });

  test.each([
    ['a log elsewhere', { EVENT_STORE_URL: 'sqlite:/elsewhere/levy.db' }],
    ['images elsewhere', { IMAGE_STORE_URL: 'file:/elsewhere' }],
    ['ledgers elsewhere', { LEDGER_STORE_URL: 'file:/elsewhere' }],
  ])('is refused for %s', async (_what, more) => {
    const { place } = await service.backUp();
    const [name] = Object.keys(more);
    const env = environment(await temporaryFolder(), more);
    await expect(restore(place, { env })).rejects.toThrow(`${name} must be within DATA_DIR`);
  });

  test('moves the log to a server, on which no service starts before it is whole; another log there stays as it is', async () => {
    const { place } = await service.backUp(undefined, SEED);
    const { url } = await startEventStoreStandIn();
    const settings = { url, prefix: 'levy', logger: silentLogger };
    const interrupted = await eventStoreDb['event-store'].openForRestore(settings);
    await interrupted.begin();
    await interrupted.close();
    await expect(eventStoreDb['event-store'].open(settings)).rejects.toThrow('run the same command again');

    const env = environment(await temporaryFolder(), { EVENT_STORE_URL: url });
    await restore(place, { env });
    expect(await readdir(env.DATA_DIR)).toEqual(['chain', 'images', 'ledgers', 'master-seed']);
    const { port, close } = await eventStoreDb['event-store'].open(settings);
    onTestFinished(close);
    const idsOf = (events: readonly RecordedEvent[]) => events.map(({ id }) => id);
    const own = idsOf(await wholeLog(service.store));
    expect(idsOf(await wholeLog(port))).toEqual(own);

    await port.append('run-3', 'none', [{ id: idOf(99), type: 'Happened', data: {}, metadata: {} }]);
    const again = environment(await temporaryFolder(), { EVENT_STORE_URL: url });
    await expect(restore(place, { env: again })).rejects.toThrow('has more than the 3 events of the backup');
    expect(await readdir(again.DATA_DIR)).toEqual([]);
    expect(idsOf(await wholeLog(port))).toEqual([...own, idOf(99)]);
    await (await eventStoreDb['event-store'].open(settings)).close();
  });

  test('of files alone puts back what is missing or damaged, and a longer transparency log stays', async () => {
    const { place } = await service.backUp();
    const { closed, open, settlement } = service.names;
    await rm(service.pathOf(open));
    await writeFile(service.pathOf(closed), 'other bytes');
    const target = environment(service.folder);
    const before = await contentOf(place);
    expect(await restoreFiles(place, target)).toEqual({ images: 0, ledgers: 2 });
    expect(await contentOf(place)).toEqual(before);
    for (const name of [open, closed, settlement])
      expect(hash('sha256', await readFile(service.pathOf(name)))).toBe(name);

    await service.blobs.putFile(`${logFolder(LOG)}checkpoint`, Buffer.from('signed later'));
    const source = await openFileBlobStore(join(place, 'ledgers'));
    onTestFinished(() => source.close());
    await expect(putNamedFiles(source, service.blobs)).rejects.toThrow('differs from the backup');
    const empty = await openFileBlobStore(await temporaryFolder());
    onTestFinished(() => empty.close());
    for (const _again of [1, 2]) await putNamedFiles(source, empty);
    expect(await empty.getFile(`${logFolder(LOG)}checkpoint`)).toEqual(Buffer.from('signed'));
  });

  test.each([
    undefined,
    FORMAT - 1,
    FORMAT + 1,
  ])('of a log whose format is %s is refused in one sentence, and nothing is in place', async (format) => {
    await service.record('service-levy', 'ServiceInitialized', { ...(format && { format }) });
    const place = join(await temporaryFolder(), 'backup');
    await expect(writeBackup(place, service.entries())).rejects.toThrow(
      new RegExp(`^The event log was written .*, but this build reads only format ${FORMAT}`),
    );
    expect(await readdir(dirname(place))).toEqual([]);
  });
});
