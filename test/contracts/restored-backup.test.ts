/** What a restore puts into the stores, and what keeps it and a backup from being made: each refusal is said before anything is lost. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { backUp } from '../../src/app/back-up.ts';
import { openLog } from '../../src/app/open-log.ts';
import { restore } from '../../src/app/restore.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { FORMAT } from '../../src/kernel/ports/other-format.ts';
import type { Manifest } from '../../src/operations/archive/backup-folder.ts';
import type { BackupPart } from '../../src/operations/archive/backup-parts.ts';
import { checkBackup } from '../../src/operations/archive/check-backup.ts';
import { lineOf } from '../../src/operations/archive/log-lines.ts';
import { unpaced } from '../../src/operations/archive/pace.ts';
import { type RestoreTarget, restoreBackup } from '../../src/operations/archive/restore-backup.ts';
import { type BackupSource, takeBackup } from '../../src/operations/archive/take-backup.ts';
import { writeBackup } from '../../src/operations/archive/write-backup.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LEDGER = Buffer.from('one ledger');
const GONE = 'a1'.repeat(32);

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const eventAt = (position: number, change: Partial<RecordedEvent> = {}): RecordedEvent => ({
  position: String(position).padStart(20, '0'),
  stream: `token-${position}`,
  revision: 0,
  id: idOf(position),
  type: 'Happened',
  data: { position },
  metadata: {},
  ...change,
});

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void> {
  yield* items;
}

interface Held {
  readonly events: readonly RecordedEvent[];
  readonly unit?: BackupSource['unit'];
  readonly change?: (source: BackupSource) => Partial<BackupSource>;
}

/** The parts of a backup of these events, one ledger file, one file of the transparency log, and a chain. */
async function* partsOf({
  events,
  unit = 'events',
  change = () => ({}),
}: Held): AsyncGenerator<BackupPart, void> {
  const blobs = await openFileBlobStore(await temporaryFolder());
  await blobs.put([LEDGER]);
  await blobs.putFile('transparency/checkpoint', Buffer.from('signed'));
  const source: BackupSource = {
    head: async () => events.at(-1)?.position ?? '',
    events: () => each(events),
    unit,
    blobs,
    images: { get: async () => undefined, leftAlone: () => each<string>([]) },
    copyChain: async (atThatMoment) => {
      await atThatMoment();
      return { pieces: each([Buffer.from('the whole chain')]), remove: async () => undefined };
    },
  };
  try {
    yield* takeBackup(
      { ...source, ...change(source) },
      { version: '1', now: () => new Date(), pace: unpaced },
    );
  } finally {
    await blobs.close();
  }
}

async function backupOf(held: Held): Promise<string> {
  const place = join(await temporaryFolder(), 'backup');
  await writeBackup(place, partsOf(held), { secrets: new Map() });
  return place;
}

const environment = (folder: string, more = {}) => ({
  DATA_DIR: folder,
  PUBLIC_URL: 'http://levy.example',
  ...more,
});
const restored = (place: string, folder: string, more = {}) =>
  restore(place, { env: environment(folder, more), logger: silentLogger });

async function logIn(folder: string): Promise<readonly RecordedEvent[]> {
  const log = await openLog({}, { env: environment(folder) });
  const events: RecordedEvent[] = [];
  for await (const event of log.events()) events.push(event);
  await log.close();
  return events;
}

/** More than are written at once, and a rest. */
const EVENTS = Array.from({ length: 2_300 }, (_, index) => eventAt(index + 1));

describe('a restore', () => {
  test('puts every event, every file and the chain into their places', async () => {
    const folder = await temporaryFolder();
    await restored(await backupOf({ events: EVENTS }), folder);
    expect(await logIn(folder)).toEqual(EVENTS);
    const blobs = await openFileBlobStore(join(folder, 'ledgers'));
    expect(Buffer.from((await blobs.getFile('transparency/checkpoint')) ?? [])).toEqual(
      Buffer.from('signed'),
    );
    for await (const name of blobs.leftAlone(new Date(8_640_000_000_000_000)))
      expect(Buffer.from((await blobs.read(name, 0, 100)) ?? [])).toEqual(LEDGER);
    await blobs.close();
    expect(await readFile(join(folder, 'chain', 'chain.db'), 'utf8')).toBe('the whole chain');
  });

  test('of a log that counts bytes gives up leases and snapshots, and of one that counts events nothing', async () => {
    const events = [
      eventAt(1),
      eventAt(2, { stream: 'lease-settler' }),
      eventAt(3, { stream: 'snapshot-token-1' }),
      eventAt(4),
    ];
    const streams = ['token-1', 'lease-settler', 'snapshot-token-1', 'token-4'];
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
    await restored(await backupOf({ events }), folder);
    expect((await logIn(folder)).map(({ stream }) => stream)).toEqual(streams);
    await restored(await backupOf({ events, unit: 'bytes' }), other);
    expect((await logIn(other)).map(({ stream }) => stream)).toEqual(['token-1', 'token-4']);
  });

  test.each([
    undefined,
    FORMAT - 1,
    FORMAT + 1,
  ])('of a log whose format is %s is refused in one sentence, and nothing is in place', async (format) => {
    const begun = eventAt(1, {
      stream: 'service-levy',
      type: 'ServiceInitialized',
      data: { ...(format && { format }) },
    });
    const [place, folder] = [await backupOf({ events: [begun, eventAt(2)] }), await temporaryFolder()];
    await expect(restored(place, folder)).rejects.toThrow(
      new RegExp(`^The event log was written .*, and this build reads format ${FORMAT} alone: [^.]*$`),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  describe('into stores ends', () => {
    async function into(
      place: string,
      { manifest, ...target }: Partial<RestoreTarget> & { readonly manifest?: Manifest } = {},
    ): Promise<readonly string[]> {
      const calls: string[] = [];
      const blobs = await openFileBlobStore(await temporaryFolder());
      onTestFinished(() => blobs.close());
      const log: RestoreTarget['log'] = {
        add: async (events) => void calls.push(`${events.length} events`),
        drop: async () => undefined,
        settle: async () => undefined,
        finish: async () => void calls.push('finished'),
      };
      const images = { put: async () => undefined };
      const chain = join(await temporaryFolder(), 'chain.db');
      const found = manifest ?? (await checkBackup(place)).manifest;
      const restoring = restoreBackup(place, found, { log, blobs, images, chain, ...target });
      await restoring.catch((error: Error) => calls.push(error.message));
      return calls;
    }

    test('with its log finished, if nothing changed', async () => {
      expect(await into(await backupOf({ events: EVENTS }))).toEqual([
        '1000 events',
        '1000 events',
        '300 events',
        'finished',
      ]);
    });

    test('where a ledger file is another than when it was checked', async () => {
      const place = await backupOf({ events: EVENTS });
      const blobs = { put: async () => GONE, putFile: async () => undefined };
      expect(await into(place, { blobs })).toEqual([
        expect.stringMatching(/^".*blobs.*" changed while it was restored$/),
      ]);
    });

    test('where the log has fewer events than when it was checked, and the log is not finished', async () => {
      const place = await backupOf({ events: EVENTS.slice(0, 300) });
      const { manifest } = await checkBackup(place);
      await writeFile(join(place, 'log', '00000000.ndjson'), EVENTS.slice(0, 299).map(lineOf).join(''));
      expect(await into(place, { manifest })).toEqual([
        '299 events',
        `"${place}" changed while it was restored`,
      ]);
    });

    test('where a chain is there already', async () => {
      const chain = join(await temporaryFolder(), 'chain.db');
      await writeFile(chain, 'another chain');
      expect(await into(await backupOf({ events: EVENTS }), { chain })).toEqual([
        expect.stringMatching('EEXIST'),
      ]);
      expect(await readFile(chain, 'utf8')).toBe('another chain');
    });
  });

  test.each([
    ['a revision is missing', eventAt(3, { stream: 'token-1', revision: 2 })],
    ['an id is there twice', eventAt(3, { stream: 'token-1', revision: 1, id: idOf(1) })],
  ])('is refused of a log in which %s, and leaves the data folder empty', async (_what, event) => {
    const place = await backupOf({ events: [eventAt(1), eventAt(2), event] });
    const folder = await temporaryFolder();
    await expect(restored(place, folder)).rejects.toThrow(
      /^the log of ".*" is damaged: .* Restore another backup$/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('is refused into a folder that holds something', async () => {
    const place = await backupOf({ events: EVENTS.slice(0, 3) });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'levy.db'), '');
    await expect(restored(place, folder)).rejects.toThrow(
      `the data folder "${folder}" (DATA_DIR) holds levy.db: a backup is restored into an empty folder alone`,
    );
    await writeFile(join(folder, 'master-seed'), '');
    await expect(restored(place, folder)).rejects.toThrow('holds levy.db and more:');
    expect((await readdir(folder)).sort()).toEqual(['levy.db', 'master-seed']);
  });

  test.each([
    [
      'another kind of log',
      { EVENT_STORE_URL: 'esdb://127.0.0.1:2113?tls=false' },
      'a backup is restored into a log in SQLite',
    ],
    [
      'a log elsewhere',
      { EVENT_STORE_URL: 'sqlite:/elsewhere/levy.db' },
      'EVENT_STORE_URL names a place outside DATA_DIR',
    ],
    [
      'images elsewhere',
      { IMAGE_STORE_URL: 'file:/elsewhere' },
      'IMAGE_STORE_URL names a place outside DATA_DIR',
    ],
    [
      'ledgers elsewhere',
      { LEDGER_STORE_URL: 'file:/elsewhere' },
      'LEDGER_STORE_URL names a place outside DATA_DIR',
    ],
    [
      'ledgers on a server',
      { LEDGER_STORE_URL: 'mongodb://127.0.0.1/levy' },
      'LEDGER_STORE_URL is no folder',
    ],
  ])('is refused for %s', async (_what, more, sentence) => {
    const place = await backupOf({ events: EVENTS.slice(0, 3) });
    await expect(restored(place, await temporaryFolder(), more)).rejects.toThrow(sentence);
  });
});

describe('a folder is no backup that can be restored', () => {
  async function spoiled(file: string, change: (text: string) => string): Promise<string> {
    const place = await backupOf({ events: EVENTS.slice(0, 3) });
    const path = join(place, file);
    await writeFile(path, change(await readFile(path, 'utf8')));
    return place;
  }

  test.each([
    [
      'of a later format',
      '"format": 1',
      '"format": 2',
      /is a backup of another format \(2, this release reads 1\)/,
    ],
    ['without a count', '"events": 3', '"events": -3', /manifest\.json" is damaged: take another backup/],
    ['without a format', '"format": 1,', '', /manifest\.json" is damaged: take another backup/],
  ])('whose manifest is %s', async (_what, from, to, sentence) => {
    const place = await spoiled('manifest.json', (text) => text.replace(from, to));
    await expect(checkBackup(place)).rejects.toThrow(sentence);
  });

  test.each([
    ['"path":"log/00000000.ndjson"', '"path":"log/../../levy.db"'],
    ['"path":"chain/chain.db"', '"path":"/etc/passwd"'],
    ['"path":"named/transparency+checkpoint"', '"path":"named/..+checkpoint"'],
    [/"path":"blobs\/[0-9a-f]{2}/, '"path":"blobs/00'],
    ['"path":"chain/chain.db"', '"path":"images/picture"'],
    ['"bytes":15', '"bytes":"many"'],
  ])('whose list names what no backup holds: %s as %s', async (from, to) => {
    const place = await spoiled('files.ndjson', (text) => text.replace(from, to));
    const sha256 = createHash('sha256')
      .update(await readFile(join(place, 'files.ndjson')))
      .digest('hex');
    const manifest = JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8'));
    manifest.files.sha256 = sha256;
    await writeFile(join(place, 'manifest.json'), JSON.stringify(manifest));
    await expect(checkBackup(place)).rejects.toThrow(/files\.ndjson" is damaged: take another backup/);
  });
});

test('a backup of a release that left the chain out is whole without one', async () => {
  const place = await backupOf({ events: EVENTS.slice(0, 3), change: () => ({ copyChain: undefined }) });
  const manifest = JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8'));
  delete manifest.chain;
  await writeFile(join(place, 'manifest.json'), JSON.stringify(manifest));
  await checkBackup(place);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('events that nobody can read are counted, kept and restored as they are', async () => {
  const unread = eventAt(2, {
    data: {},
    unreadable: 'it is not JSON',
    raw: { data: base64('{'), metadata: base64('{}') },
  });
  const place = await backupOf({ events: [eventAt(1), unread, eventAt(3)] });
  expect((await checkBackup(place)).manifest).toMatchObject({ events: 3, unreadable: 1 });
  const folder = await temporaryFolder();
  await restored(place, folder);
  expect((await logIn(folder))[1]).toMatchObject({ id: unread.id, raw: unread.raw });
});

describe('a backup is not written', () => {
  const held = { events: EVENTS.slice(0, 3) };
  const written = async (place: string, parts: AsyncIterable<BackupPart> = partsOf(held)) =>
    writeBackup(place, parts, { secrets: new Map() });

  test('over something else', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mine'), '');
    await expect(written(folder)).rejects.toThrow('is not empty, and a backup replaces nothing');
    await expect(written(join(folder, 'mine'))).rejects.toThrow(/cannot be written to ".*mine" \(ENOTDIR\)/);
    expect(await readdir(folder)).toEqual(['mine']);
  });

  test('where something takes its name meanwhile', async () => {
    const folder = await temporaryFolder();
    const place = join(folder, 'backup');
    async function* slow() {
      yield* partsOf(held);
      await mkdir(place);
      await writeFile(join(place, 'other'), '');
    }
    await expect(written(place, slow())).rejects.toThrow(/cannot take the name ".*backup" \(ENOTEMPTY\)/);
    expect(await readdir(folder)).toEqual(['backup']);
  });

  test('without its end, or its beginning', async () => {
    for (const missing of ['end', 'begin']) {
      const parts: BackupPart[] = [];
      for await (const part of partsOf(held)) if (part.kind !== missing) parts.push(part);
      const place = join(await temporaryFolder(), 'backup');
      await expect(written(place, each(parts))).rejects.toThrow('the backup was cut off before its end');
      expect(await readdir(join(place, '..'))).toEqual([]);
    }
  });

  test.each([
    '../levy.db',
    'log/1.ndjson',
    'blobs/aa/aa',
    'secrets/seed',
  ])('with the path %s', async (path) => {
    const place = join(await temporaryFolder(), 'backup');
    for (const part of [
      { kind: 'piece', path, bytes: LEDGER },
      { kind: 'damaged', path },
    ] as const)
      await expect(written(place, each([part]))).rejects.toThrow(`a backup has no file "${path}"`);
    expect(await readdir(join(place, '..'))).toEqual([]);
  });

  test('of an empty log, or with a ledger file that goes while it is copied', async () => {
    await expect(backupOf({ events: [] })).rejects.toThrow('the event log is empty');
    const piece = Buffer.alloc(256 * 1024);
    const change = ({ blobs }: BackupSource) => ({
      blobs: {
        ...blobs,
        leftAlone: () => each([GONE]),
        read: async (_name: string, offset: number) => (offset === 0 ? piece : undefined),
      },
    });
    await expect(backupOf({ ...held, change })).rejects.toThrow('was removed while it was copied: try again');
  });

  test('but a ledger file that is gone before it is read is left out', async () => {
    const change = ({ blobs }: BackupSource) => ({
      blobs: { ...blobs, leftAlone: () => each([GONE]), read: async () => undefined },
    });
    const place = await backupOf({ ...held, change });
    expect((await checkBackup(place)).manifest).toMatchObject({ blobs: 0 });
  });

  test('of a service without its key, nor with secrets that cannot be read', async () => {
    const folder = await temporaryFolder();
    const options = { env: environment(folder), withSecrets: false, logger: silentLogger };
    const place = join(folder, 'backup');
    await expect(backUp(place, { ...options, service: 'http://127.0.0.1:1' })).rejects.toThrow(
      'a service gives its backup to operators alone: give --operator-key-file',
    );
    await expect(backUp(place, { ...options, operatorKeyFile: 'key' })).rejects.toThrow(
      '--operator-key-file is for --service',
    );
    await expect(backUp(place, { ...options, withSecrets: true })).rejects.toThrow(
      `--with-secrets needs the file "${join(folder, 'master-seed')}", which cannot be read`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
