// Images and ledgers are copied from store to store, and what is copied is compared with its name or its source.

import { hash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signCheckpoint } from 'levy-transparency-log';
import { describe, expect, onTestFinished, test } from 'vitest';
import { blobPaths, openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { withMethods } from '../../src/kernel/runtime/around-calls.ts';
import { createProgram } from '../../src/levy/program.ts';
import { copyBlobs } from '../../src/operations/archive/copy-files.ts';
import { isLeftOut } from '../../src/proof/transparency/left-out.ts';
import { logFiles, logFolder, serveOrigin } from '../../src/proof/transparency/log-files.ts';
import { createLogTree } from '../../src/proof/transparency/log-tree.ts';
import { eventually } from '../support/eventually.ts';
import { outputOf } from '../support/output-of.ts';
import { appendRecorded } from '../support/recorded-events.ts';
import {
  appendEntries,
  notaryKey,
  notaryOf,
  NOTARY_ORIGIN as ORIGIN,
  untilPublished,
} from '../support/running-notary.ts';
import { temporaryEventStore, wholeLog } from '../support/temporary-event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FOLDER = logFolder(ORIGIN);

/** As an operator runs it. */
async function copied(what: string, from: string, to: string) {
  const { streams, written } = outputOf();
  const { program, terminal } = createProgram(streams);
  await program.parseAsync(['node', 'levy', '--json', 'copy-files', what, '--from', from, '--to', to]);
  const { stdout, stderr } = written();
  return { code: terminal.exitCode, counts: JSON.parse(stdout), told: stderr };
}

async function folders() {
  const folder = await temporaryFolder();
  return [join(folder, 'from'), join(folder, 'to')] as const;
}

type Blobs = Awaited<ReturnType<typeof openFileBlobStore>>;

async function openBlobs(folder: string): Promise<Blobs> {
  const blobs = await openFileBlobStore(folder);
  onTestFinished(() => blobs.close());
  return blobs;
}

async function sha256Of(store: Blobs, name: string, size: number): Promise<string> {
  return hash('sha256', (await store.read(name, 0, size)) ?? '');
}

/** The log of those entries, as a notary leaves it in the store of ledgers; of two seeds, two logs. */
async function logIn(blobs: Blobs, size: number, { seed = 'a', origin = ORIGIN } = {}): Promise<void> {
  const files = logFiles(blobs, origin);
  const tree = createLogTree();
  for (let index = 0; index < size; index += 1) {
    const entry = hash('sha256', `${seed} ${index}`, 'buffer');
    const line = { id: `event-${index}`, stream: 'thing-a', revision: index, position: positionOf(index) };
    for (const file of tree.add({ ...line, entry })) await files.putFull(file);
  }
  const root = tree.root();
  await files.putHead(files.bytesOf({ ...tree.end(), root }));
  await files.putCheckpoint(signCheckpoint({ origin, size, root }, notaryKey));
  await serveOrigin(blobs, origin);
}

const positionOf = (index: number) => String(index + 1).padStart(20, '0');

/** Where the page's events stand in another store of events. */
async function moveIndex(blobs: Blobs): Promise<void> {
  const bytes = (await blobs.getFile(`${FOLDER}index/000`)) ?? new Uint8Array();
  await blobs.putFile(
    `${FOLDER}index/000`,
    Buffer.from(Buffer.from(bytes).toString().replaceAll('"position":"0', '"position":"7')),
  );
}

async function namedFiles(blobs: Blobs): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const name of blobs.listFiles(''))
    found.set(name, Buffer.from((await blobs.getFile(name)) ?? []).toString('hex'));
  return new Map([...found].toSorted());
}

describe('images', () => {
  test('are copied once, and what is new the next time', async () => {
    const [from, to] = await folders();
    const source = await openBlobs(from);
    const pictures = Array.from({ length: 9 }, (_, size) => randomBytes(1_000 + size));
    for (const picture of pictures.slice(1)) await source.put([picture]);
    const first = await copied('images', `file:${from}`, `file:${to}`);
    expect(first).toMatchObject({ code: 0, counts: { files: 8, added: 8, faults: 0 } });
    await source.put([pictures[0] ?? randomBytes(1)]);
    const second = await copied('images', `file:${from}`, `file:${to}`);
    expect(second).toMatchObject({ code: 0, counts: { files: 9, added: 1, faults: 0 } });
    const target = await openBlobs(to);
    for (const picture of pictures)
      expect(await target.read(hash('sha256', picture), 0, 2_000)).toEqual(picture);
  });

  test('that are damaged at the source are told, those at the target are replaced, and the others are copied', async () => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    const pictures = Array.from({ length: 3 }, () => randomBytes(1_000));
    const [atSource = '', atTarget = '', whole = ''] = pictures.map((picture) => hash('sha256', picture));
    for (const picture of pictures) await source.put([picture]);
    await target.put(pictures.slice(1, 2));
    await writeFile(join(from, blobPaths.blob(atSource)), 'other bytes');
    await writeFile(join(to, blobPaths.blob(atTarget)), 'other bytes');
    const { code, counts, told } = await copied('images', `file:${from}`, `file:${to}`);
    expect({ code, counts }).toMatchObject({ code: 1, counts: { files: 2, added: 2, faults: 1 } });
    expect(told).toContain(`the image ${atSource}: its bytes at the source are not those of its name`);
    expect(await target.read(atTarget, 0, 2_000)).toEqual(pictures[1]);
    expect(await target.has(atSource)).toBe(false);
    expect(await target.read(whole, 0, 2_000)).toEqual(pictures[2]);
  });
});

describe('ledgers', () => {
  test('are copied with the transparency log, and the log again when it has grown', async () => {
    const [from, to] = await folders();
    const source = await openBlobs(from);
    const names = await Promise.all([0, 1, 70_000, 3_000_000].map((size) => source.put([randomBytes(size)])));
    await logIn(source, 300);
    const first = await copied('ledgers', `file:${from}`, `file:${to}`);
    // Of the log: a tile, a bundle, a page of the index, head, checkpoint and origin.
    expect(first).toMatchObject({ code: 0, counts: { files: 10, added: 10, faults: 0 } });
    await logIn(source, 600);
    const second = await copied('ledgers', `file:${from}`, `file:${to}`);
    expect(second).toMatchObject({ code: 0, counts: { files: 13, added: 3, faults: 0 } });
    const target = await openBlobs(to);
    for (const name of names) {
      const size = (await source.size(name)) ?? 0;
      expect(await sha256Of(target, name, size)).toBe(name);
    }
    expect(await namedFiles(target)).toEqual(await namedFiles(source));
  });

  test('are copied again after a notary has signed on, also once its log stood in another store', async () => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    const store = await temporaryEventStore();
    await serveOrigin(source, ORIGIN);
    await appendEntries(store, 'thing-a', 300);
    const first = notaryOf({ store, files: source });
    await untilPublished(first, 300);
    expect(await copied('ledgers', `file:${from}`, `file:${to}`)).toMatchObject({ code: 0 });
    await appendEntries(store, 'thing-b', 300);
    await untilPublished(first, 600);
    await first.stop();
    expect(await copied('ledgers', `file:${from}`, `file:${to}`)).toMatchObject({ code: 0 });
    expect(await namedFiles(target)).toEqual(await namedFiles(source));

    const before = await namedFiles(source);
    const other = await temporaryEventStore();
    await appendEntries(other, 'lease-of-another', 50);
    const kept = (await wholeLog(store)).filter(({ stream }) => !isLeftOut(stream));
    await appendRecorded(other, kept);
    const second = notaryOf({ store: other, files: source });
    await eventually('the record says where the events stand now', async () => {
      const now = await namedFiles(source);
      return ['index/000', 'index/001', 'head'].every(
        (name) => now.get(`${FOLDER}${name}`) !== before.get(`${FOLDER}${name}`),
      );
    });
    await appendEntries(other, 'thing-b', 3);
    await untilPublished(second, 603);
    await second.stop();
    expect(await copied('ledgers', `file:${from}`, `file:${to}`)).toMatchObject({ code: 0, told: '' });
    expect(await namedFiles(target)).toEqual(await namedFiles(source));
  });

  test('are copied again after their log was given another name', async () => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    await logIn(source, 300);
    expect(await copied('ledgers', `file:${from}`, `file:${to}`)).toMatchObject({ code: 0 });
    await logIn(source, 310, { origin: 'other.example.com/log' });
    expect(await copied('ledgers', `file:${from}`, `file:${to}`)).toMatchObject({ code: 0 });
    expect(await namedFiles(target)).toEqual(await namedFiles(source));
  });

  test('of which the target has a longer log stay as they are there', async () => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    await logIn(source, 300);
    await logIn(target, 301);
    // It was taken into use there with another store of events.
    await moveIndex(target);
    const before = await namedFiles(target);
    const { code, told, counts } = await copied('ledgers', `file:${from}`, `file:${to}`);
    expect({ code, counts }).toMatchObject({ code: 1, counts: { faults: 1 } });
    expect(told).toContain('a service has gone on at the target');
    expect(await namedFiles(target)).toEqual(before);
  });

  test.each([
    [
      'another tile',
      async (blobs: Blobs) => blobs.putFile(`${FOLDER}tile/0/000`, Buffer.from('another tile')),
    ],
    ['another log of the same size', async (blobs: Blobs) => logIn(blobs, 300, { seed: 'b' })],
    [
      'a shorter log that is not its beginning, without a full tile',
      async (blobs: Blobs) => logIn(blobs, 200, { seed: 'b' }),
    ],
    ['a longer log that it does not begin', async (blobs: Blobs) => logIn(blobs, 301, { seed: 'b' })],
    [
      'a page of the index that names other events',
      async (blobs: Blobs) => {
        await logIn(blobs, 300);
        await blobs.putFile(`${FOLDER}index/000`, Buffer.from('{}\n'));
      },
    ],
    [
      'the log of another service',
      async (blobs: Blobs) => logIn(blobs, 3, { origin: 'other.example.com/log' }),
    ],
  ])('leave a target alone that has %s', async (_what, fill) => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    await logIn(source, 300);
    await fill(target);
    const before = await namedFiles(target);
    const { code, told } = await copied('ledgers', `file:${from}`, `file:${to}`);
    expect(code).toBe(1);
    expect(told).toContain('the target has another file of that name, which stays');
    expect([...(await namedFiles(target))]).toEqual(expect.arrayContaining([...before]));
  });

  test('go on where they were interrupted', async () => {
    const [from, to] = await folders();
    const [source, target] = [await openBlobs(from), await openBlobs(to)];
    for (let file = 0; file < 12; file += 1) await source.put([randomBytes(1_000)]);
    await logIn(source, 300);
    let puts = 0;
    const failing = withMethods(target, {
      async put(pieces) {
        puts += 1;
        if (puts > 5) throw new StoreUnavailable('the server is away');
        return target.put(pieces);
      },
    });
    const quiet = { found: async () => undefined, progress: () => undefined };
    await expect(copyBlobs({ source, target: failing, content: 'ledger file' }, quiet)).rejects.toThrow(
      'the server is away',
    );
    // What says that there is a log comes last.
    expect(await target.getFile('transparency/origin')).toBeUndefined();
    const rest = await copyBlobs({ source, target, content: 'ledger file' }, quiet);
    expect(rest).toMatchObject({ files: 18, faults: 0 });
    expect(rest.added).toBeLessThanOrEqual(14);
  });
});

test('stores that cannot be opened are refused with a sentence, and none is made', async () => {
  const [from, to] = await folders();
  await expect(copied('images', `file:${from}`, `file:${to}`)).rejects.toThrow(`there is no folder ${from}`);
  await mkdir(from);
  await expect(copied('ledgers', `file:${from}`, `file:${from}`)).rejects.toThrow('name the same store');
  await expect(copied('ledgers', `file:${from}`, 'sqlite:there')).rejects.toThrow('--to');
  await expect(copied('ledgers', `file:${from}`, 'mongodb://127.0.0.1:1/levy')).rejects.toThrow(
    'does not answer',
  );
  await expect(copied('secrets', `file:${from}`, `file:${to}`)).rejects.toThrow('Allowed choices');
});
