/** Backups and restores that end at any moment without another word, as by a kill: no part is taken for the whole. */
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { IN_MEMORY, openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { restore } from '../../src/app/restore.ts';
import { requireRestored } from '../../src/app/restoring.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { readLog } from '../../src/kernel/runtime/read-log.ts';
import type { BackupPart } from '../../src/operations/archive/backup-parts.ts';
import { checkBackup } from '../../src/operations/archive/check-backup.ts';
import { unpaced } from '../../src/operations/archive/pace.ts';
import { takeBackup } from '../../src/operations/archive/take-backup.ts';
import { writeBackup } from '../../src/operations/archive/write-backup.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRETS = new Map([['master-seed', Buffer.from('seed')]]);
const ENV = (folder: string) => ({ DATA_DIR: folder, PUBLIC_URL: 'http://levy.example' });
const options = (folder: string) => ({ env: ENV(folder), logger: silentLogger });

/** A service's stores, as a backup takes them; `copyChain` is what its chain does. */
async function openSource(copyChain: (atThatMoment: () => Promise<void>) => Promise<void>) {
  const database = openSqliteDatabase(IN_MEMORY);
  const store = createSqliteEventStore(database);
  const blobs = await openFileBlobStore(await temporaryFolder());
  return {
    blobs,
    record(count: number) {
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
      return store.append(`token-${count}`, 'none', [
        { id, type: 'Happened', data: { count }, metadata: { occurredAt: '2026-11-22T10:00:00.000Z' } },
      ]);
    },
    backup: () =>
      takeBackup(
        {
          head: () => store.head(),
          events: () => readLog(store),
          unit: 'events',
          blobs,
          images: { get: async () => undefined, leftAlone: () => piecesIn<string>([]) },
          async copyChain(atThatMoment: () => Promise<void>) {
            await copyChain(atThatMoment);
            return { pieces: piecesIn([Buffer.from('the whole chain')]), remove: async () => undefined };
          },
        },
        { version: '1', now: () => new Date(), pace: unpaced },
      ),
    async close() {
      await blobs.close();
      await store.close();
      await database.close();
    },
  };
}

/** Each piece in two, so that a file can end in the middle. */
async function partsOfABackup(): Promise<readonly BackupPart[]> {
  const source = await openSource((atThatMoment) => atThatMoment());
  const { blobs } = source;
  for (let count = 0; count < 20; count += 1) await source.record(count);
  await blobs.put([Buffer.from('one ledger')]);
  await blobs.put([Buffer.from('another ledger')]);
  await blobs.putFile('transparency/checkpoint', Buffer.from('signed'));
  await blobs.putFile('transparency/tile/0/000', Buffer.alloc(64, 1));
  const parts: BackupPart[] = [];
  for await (const part of source.backup()) {
    if (part.kind !== 'piece') parts.push(part);
    else {
      const half = Math.floor(part.bytes.length / 2);
      parts.push(
        { ...part, bytes: part.bytes.subarray(0, half) },
        { ...part, bytes: part.bytes.subarray(half) },
      );
    }
  }
  await source.close();
  return parts;
}

async function* piecesIn<Piece>(pieces: readonly Piece[]): AsyncGenerator<Piece, void> {
  yield* pieces;
}

/**
 * Nothing comes after so many, and nothing is said: what is on the disk then is what a kill leaves. `over` lets its writer go.
 */
async function* endless(
  parts: readonly BackupPart[],
  { reached, over }: { readonly reached: () => void; readonly over: Promise<never> },
): AsyncGenerator<BackupPart, void> {
  yield* parts;
  reached();
  await over;
}

test('the log of a backup ends where it did while the chain stood still, however much is recorded later', async () => {
  const source = await openSource(async (atThatMoment) => {
    await source.record(2);
    await atThatMoment();
    await source.record(3);
  });
  await source.record(1);
  const place = join(await temporaryFolder(), 'backup');
  await writeBackup(place, source.backup(), { secrets: SECRETS });
  expect((await checkBackup(place)).manifest).toMatchObject({ events: 2, chain: 1 });
  await source.close();
});

test('a backup that ends after any of its parts is none, and the next one into the same folder is whole', async () => {
  const parts = await partsOfABackup();
  expect(parts.map((part) => part.kind === 'piece' && part.path.split('/')[0])).toContain('chain');
  const place = join(await temporaryFolder(), 'backup');
  const left: Promise<unknown>[] = [];
  let end: (error: Error) => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    end = reject;
  });
  for (let count = 0; count <= parts.length; count += 1) {
    await new Promise<void>((reached) => {
      const writing = writeBackup(place, endless(parts.slice(0, count), { reached, over }), {
        secrets: SECRETS,
      });
      left.push(writing.catch(() => undefined));
    });
    await expect(checkBackup(place)).rejects.toThrow(/is no backup/);
    await expect(restore(place, options(await temporaryFolder()))).rejects.toThrow(/is no backup/);
    for (const name of await readdir(join(place, '..')))
      await expect(checkBackup(join(place, '..', name))).rejects.toThrow(/is no backup/);
  }
  end(new Error('over'));
  await Promise.all(left);
  await writeBackup(place, piecesIn(parts), { secrets: SECRETS });
  expect(await readdir(join(place, '..'))).toEqual(['backup']);
  expect((await checkBackup(place)).manifest).toMatchObject({ events: 20, blobs: 2, named: 2, chain: 1 });
});

test('a backup whose files end at any byte, or lack one, is refused by their names', async () => {
  const place = join(await temporaryFolder(), 'backup');
  await writeBackup(place, piecesIn(await partsOfABackup()), { secrets: SECRETS });
  const files = (await readdir(place, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'),
  );
  expect(files.length).toBeGreaterThan(6);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const whole = await readFile(path);
    for (const length of [0, 1, Math.floor(whole.length / 2), whole.length - 1]) {
      await writeFile(path, whole.subarray(0, length));
      // What the manifest lacks after its last brace is a line end.
      if (name === 'manifest.json' && length === whole.length - 1) continue;
      await expect(checkBackup(place), `${name} cut to ${length}`).rejects.toThrow(/is damaged/);
    }
    await writeFile(path, whole);
  }
  await checkBackup(place);
});

test('a restore that ends at any of its steps keeps a service from starting, and is done by running it again', async () => {
  const place = join(await temporaryFolder(), 'backup');
  await writeBackup(place, piecesIn(await partsOfABackup()), { secrets: SECRETS });
  const whole = await temporaryFolder();
  await restore(place, options(whole));
  const entries = (await readdir(whole)).sort(
    (one, other) => Number(one === 'levy.db') - Number(other === 'levy.db'),
  );
  expect(entries).toEqual(expect.arrayContaining(['chain', 'levy.db', 'master-seed']));
  expect(await readFile(join(whole, 'chain', 'chain.db'), 'utf8')).toBe('the whole chain');
  requireRestored(whole);

  const expected = await contentOf(whole);
  /** As a kill leaves it: so many of the entries in the folder beside, so many of those moved to their places. */
  async function interrupted({ written, moved }: { written: number; moved: number | undefined }) {
    const folder = await temporaryFolder();
    const stage = join(folder, '.restoring');
    await mkdir(stage);
    for (const entry of entries.slice(0, written))
      await cp(join(whole, entry), join(stage, entry), { recursive: true });
    if (moved === undefined) return folder;
    await writeFile(join(stage, 'moving.json'), JSON.stringify(entries));
    for (const entry of entries.slice(0, moved)) await rename(join(stage, entry), join(folder, entry));
    return folder;
  }
  const states = [
    ...entries.map((_entry, written) => ({ written, moved: undefined })),
    ...[...entries.keys(), entries.length].map((moved) => ({ written: entries.length, moved })),
  ];
  for (const state of states) {
    const folder = await interrupted(state);
    expect(() => requireRestored(folder)).toThrow(/Run the same "levy restore" again/);
    await restore(place, options(folder));
    requireRestored(folder);
    expect([state, await contentOf(folder)]).toEqual([state, expected]);
  }
});

/** Every file but the log's, whose bytes SQLite may lay out in another way. */
async function contentOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const content = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [
      path.slice(folder.length),
      name === 'levy.db' ? '' : (await readFile(path)).toString('hex'),
    ] as const;
  });
  return (await Promise.all(content)).sort(([one], [other]) => (one < other ? -1 : 1));
}
