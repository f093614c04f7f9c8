/** What the check of a backup finds: each test spoils one thing of a backup that is sound. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { restore } from '../../src/app/restore.ts';
import { damagedFiles } from '../../src/cli/levy/left-out-files.ts';
import { ContentDamaged } from '../../src/kernel/ports/content-damaged.ts';
import type { JsonObject, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { readLog } from '../../src/kernel/runtime/read-log.ts';
import { checkBackup } from '../../src/operations/archive/check-backup.ts';
import { framesOf, partsOf } from '../../src/operations/archive/frames.ts';
import { lineOf } from '../../src/operations/archive/log-lines.ts';
import { unpaced } from '../../src/operations/archive/pace.ts';
import { takeBackup } from '../../src/operations/archive/take-backup.ts';
import { writeBackup } from '../../src/operations/archive/write-backup.ts';
import { imageCid } from '../../src/server/images/image-cid.ts';
import { runAllotted, runClosed } from '../support/distribution-examples.ts';
import { temporaryEventStore } from '../support/temporary-event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const IMAGE = Buffer.from('a picture');

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The stores of a service of which one run is closed and one is allotted. */
async function serviceWithRuns() {
  const store = await temporaryEventStore();
  const folder = await temporaryFolder();
  const blobs = await openFileBlobStore(folder);
  onTestFinished(() => blobs.close());
  const put = (text: string) => blobs.put([Buffer.from(text)]);
  const names = {
    closed: await put('the allotment of the closed run'),
    settlement: await put('its settlement'),
    open: await put('the allotment of the open run'),
  };
  await blobs.putFile('transparency/checkpoint', Buffer.from('signed'));
  const images = { get: async (): Promise<Uint8Array> => IMAGE, leftAlone: () => each([imageCid(IMAGE)]) };
  let count = 0;
  const record = (stream: string, type: string, data: JsonObject) =>
    store.append(stream, 'none', [{ id: idOf(count++), type, data, metadata: {} }]);
  await record('run-1', 'RunAllotted', { ...runAllotted.data, ledger: names.closed });
  const carried = { ...runClosed.data.carried, ledger: names.closed, settlement: names.settlement };
  await record('distribution-1', 'RunClosed', { ...runClosed.data, carried });
  await record('run-2', 'RunAllotted', { ...runAllotted.data, ledger: names.open });
  return {
    store,
    blobs,
    images,
    names,
    pathOf: (name: string) => join(folder, 'blobs', name.slice(0, 2), name),
    async backup() {
      const place = join(await temporaryFolder(), 'backup');
      const source = {
        head: () => store.head(),
        events: () => readLog(store),
        unit: 'events' as const,
        blobs,
        images,
        copyChain: async (atThatMoment: () => Promise<void>) => {
          await atThatMoment();
          return { pieces: each([Buffer.from('the whole chain')]), remove: async () => undefined };
        },
      };
      const parts = takeBackup(source, { version: '1', now: () => new Date(), pace: unpaced });
      // As a service sends them.
      const sent = partsOf(framesOf(parts));
      return { place, ...(await writeBackup(place, sent, { secrets: new Map() })) };
    },
  };
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

type Service = Awaited<ReturnType<typeof serviceWithRuns>>;
let service: Service;
let place: string;

beforeEach(async () => {
  service = await serviceWithRuns();
});

describe('of the ledgers that the log names', () => {
  test('none is missing in a sound backup', async () => {
    const backup = await service.backup();
    expect(backup).toMatchObject({ missingLedgers: [], manifest: { blobs: 3 } });
    expect(await checkBackup(backup.place)).toMatchObject({ missingLedgers: [] });
  });

  test.each([
    ['the allotment of a closed run', 'closed'],
    ['the settlement of a closed run', 'settlement'],
    ['the allotment of an open run', 'open'],
  ] as const)('%s is told where the store lacks it, by the backup and by its restore', async (_what, which) => {
    const name = service.names[which];
    await rm(service.pathOf(name));
    const backup = await service.backup();
    expect(backup).toMatchObject({ missingLedgers: [name], manifest: { blobs: 2 } });
    const target = { DATA_DIR: await temporaryFolder(), PUBLIC_URL: 'http://levy.example' };
    const restored = await restore(backup.place, { env: target, logger: silentLogger });
    expect(restored).toMatchObject({ missingLedgers: [name] });
  });
});

describe('a file whose bytes in the store are not those of its name', () => {
  test.each([
    ['the allotment of a closed run', 'closed'],
    ['the settlement of a closed run', 'settlement'],
    ['the allotment of an open run', 'open'],
  ] as const)('is told, and everything else is backed up: %s', async (_what, which) => {
    const name = service.names[which];
    await writeFile(service.pathOf(name), 'altered');
    const damaged = [`blobs/${name.slice(0, 2)}/${name}`];
    const backup = await service.backup();
    expect(backup).toMatchObject({ missingLedgers: [], manifest: { blobs: 2, images: 1, damaged } });
    expect((await checkBackup(backup.place)).manifest).toMatchObject({ events: 3, damaged });
    const target = { DATA_DIR: await temporaryFolder(), PUBLIC_URL: 'http://levy.example' };
    const restored = await restore(backup.place, { env: target, logger: silentLogger });
    expect(restored).toMatchObject({ missingLedgers: [], manifest: { damaged } });
    expect(damagedFiles(damaged)[0]).toContain(`the ledger file ${name} in the store of ledgers is damaged`);
  });

  test('is told of images too', async () => {
    service.images.get = async () => {
      throw new ContentDamaged('image', imageCid(IMAGE), 'there');
    };
    const damaged = [`images/${imageCid(IMAGE)}`];
    const backup = await service.backup();
    expect(backup).toMatchObject({ missingLedgers: [], manifest: { blobs: 3, images: 0, damaged } });
    expect(damagedFiles(damaged)[0]).toContain(
      `the image ${imageCid(IMAGE)} in the store of images is damaged`,
    );
  });

  test('ends the backup if it was changed while it was copied', async () => {
    const read = service.blobs.read;
    const large = await service.blobs.put([Buffer.alloc(300_000)]);
    service.blobs.read = async (name, offset, length) => {
      if (name === large && offset > 0) throw new ContentDamaged('ledger file', name, 'there');
      return read(name, offset, length);
    };
    await expect(service.backup()).rejects.toThrow(
      `the ledger file ${large} was changed while it was copied: try again`,
    );
  });
});

describe('a backup is refused', () => {
  beforeEach(async () => {
    ({ place } = await service.backup());
  });

  type Manifest = { [name: string]: unknown; files: { [name: string]: unknown } };

  async function spoilManifest(spoil: (manifest: Manifest) => void): Promise<void> {
    const path = join(place, 'manifest.json');
    const manifest: Manifest = JSON.parse(await readFile(path, 'utf8'));
    spoil(manifest);
    await writeFile(path, JSON.stringify(manifest));
  }

  /** As whoever writes a backup would list it, so that only the content is wrong. */
  async function relist(change: (path: string, bytes: Buffer) => Buffer): Promise<void> {
    const lines: string[] = [];
    const listed = (await readFile(join(place, 'files.ndjson'), 'utf8')).trim().split('\n');
    for (const { path } of listed.map((line) => JSON.parse(line))) {
      const bytes = change(path, await readFile(join(place, path)));
      await writeFile(join(place, path), bytes);
      lines.push(`${JSON.stringify({ path, bytes: bytes.length, sha256: sha256Of(bytes) })}\n`);
    }
    await writeFile(join(place, 'files.ndjson'), lines.join(''));
    const bytes = await totalOf(listed.map((line) => JSON.parse(line).path));
    await spoilManifest(({ files }) =>
      Object.assign(files, { bytes, sha256: sha256Of(Buffer.from(lines.join(''))) }),
    );
  }

  async function totalOf(paths: readonly string[]): Promise<number> {
    const sizes = await Promise.all(paths.map(async (path) => (await readFile(join(place, path))).length));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  test.each([
    ['it has 3 events', '4', (manifest: Manifest) => Object.assign(manifest, { events: 4 })],
    [
      'its last event is at',
      '9'.repeat(20),
      (manifest: Manifest) => Object.assign(manifest, { head: '9'.repeat(20) }),
    ],
    ['its first event is', idOf(7), (manifest: Manifest) => Object.assign(manifest, { firstEvent: idOf(7) })],
    [
      'it has 0 events that cannot be read',
      '1',
      (manifest: Manifest) => Object.assign(manifest, { unreadable: 1 }),
    ],
    ['it has 3 ledger files', '4', (manifest: Manifest) => Object.assign(manifest, { blobs: 4 })],
    ['it has 1 named files', '2', (manifest: Manifest) => Object.assign(manifest, { named: 2 })],
    ['it has 1 images', '2', (manifest: Manifest) => Object.assign(manifest, { images: 2 })],
    ['it has 1 files of the chain', '0', (manifest: Manifest) => Object.assign(manifest, { chain: 0 })],
    ['it has 7 files', '9', ({ files }: Manifest) => Object.assign(files, { count: 9 })],
    ['bytes', '1', ({ files }: Manifest) => Object.assign(files, { bytes: 1 })],
  ])('whose manifest counts otherwise: %s', async (found, expected, spoil) => {
    await spoilManifest(spoil);
    const refused = checkBackup(place);
    await expect(refused).rejects.toThrow(found);
    await expect(refused).rejects.toThrow(`, and the manifest says ${expected}. Do not rely on this backup`);
  });

  test('whose list of files is not the one that was written', async () => {
    await spoilManifest(({ files }) => Object.assign(files, { sha256: '0'.repeat(64) }));
    await expect(checkBackup(place)).rejects.toThrow(
      'files.ndjson" is damaged: it is not the one that was written',
    );
  });

  test.each([
    ['a ledger file', 'blobs/'],
    ['a file of the transparency log', 'named/'],
    ['an image', 'images/'],
    ['the chain', 'chain/'],
    ['the log', 'log/'],
  ])('of which %s was altered', async (_what, folder) => {
    const files = await readdir(join(place, folder), { recursive: true, withFileTypes: true });
    const file = files.find((entry) => entry.isFile());
    const path = join(file?.parentPath ?? '', file?.name ?? '');
    const bytes = await readFile(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await expect(checkBackup(place)).rejects.toThrow(
      `"${path}" is damaged: its bytes are not those that were written`,
    );
  });

  test.each([
    ['a ledger file', 'blobs/'],
    ['an image', 'images/'],
  ])('that lists %s whose bytes are not those of its name', async (_what, folder) => {
    await relist((path, bytes) => (path.startsWith(folder) ? Buffer.from('other bytes') : bytes));
    await expect(checkBackup(place)).rejects.toThrow('its content does not match its name');
  });

  test('whose log has a line that is no event', async () => {
    await relist((path, bytes) =>
      path.startsWith('log/') ? Buffer.concat([bytes, Buffer.from('{}\n')]) : bytes,
    );
    await expect(checkBackup(place)).rejects.toThrow('there is a line that is no event');
  });

  test('whose list names another size', async () => {
    const path = join(place, 'files.ndjson');
    const list = (await readFile(path, 'utf8')).replace('"bytes":9', '"bytes":8');
    await writeFile(path, list);
    await spoilManifest(({ files }) => Object.assign(files, { sha256: sha256Of(Buffer.from(list)) }));
    await expect(checkBackup(place)).rejects.toThrow(
      `"${join(place, 'images', imageCid(IMAGE))}" is damaged: its bytes are not those that were written`,
    );
  });

  test.each([
    ['first', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('\n') + 1)],
    ['last', (bytes: Buffer) => bytes.subarray(bytes.lastIndexOf('\n', -2) + 1)],
  ])('whose log has its %s event twice', async (_which, part) => {
    const again = (bytes: Buffer) => Buffer.concat([bytes, part(bytes)]);
    await relist((path, bytes) => (path.startsWith('log/') ? again(bytes) : bytes));
    await expect(checkBackup(place)).rejects.toThrow('does not follow');
  });

  test('of which an event was put among the others', async () => {
    const event: RecordedEvent = {
      position: '9'.repeat(20),
      stream: 'token-a',
      revision: 0,
      id: idOf(8),
      type: 'Happened',
      data: {},
      metadata: {},
    };
    await relist((path, bytes) =>
      path.startsWith('log/') ? Buffer.concat([bytes, Buffer.from(lineOf(event))]) : bytes,
    );
    await expect(checkBackup(place)).rejects.toThrow('it has 4 events, and the manifest says 3');
  });
});
