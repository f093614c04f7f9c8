/**
 * Keeps images as files named by their content: `<directory>/<two characters of the CID>/<cid>.jpg`. A file's
 * modification time says since when its image is protected; a power cut may lose it, which makes the file look older.
 * Several processes may use the directory.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  access,
  constants,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { imageCid, parseImageCid } from '../../images/image-cid.ts';
import type { ImageStore } from '../../ports/image-store.ts';
import { createOneAtATime } from '../../runtime/one-at-a-time.ts';
import { makePrivateDirectory, syncDirectory, writeDurably } from './durable-file.ts';

const INCOMING = 'incoming';
/** Old enough that no process can still be writing it. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** Longer than any disk takes that is not broken. Milliseconds. */
const PATIENCE = 30_000;
const EXTENSION = '.jpg';
const PROBE_BYTES = 256 * 1024;

/** Creates the directory if missing. Rejects if it is not writable. */
export async function openFileImageStore(directory: string): Promise<ImageStore> {
  const root = resolve(directory);
  const incoming = join(root, INCOMING);
  await makePrivateDirectory(incoming);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  await removeAbandoned(incoming);

  /** Only a valid CID ever becomes part of a path. */
  function fileOf(cid: string): { readonly shard: string; readonly file: string } | undefined {
    const name = parseImageCid(cid);
    if (name === undefined) return undefined;
    // The first characters are equal in all CIDs, and the last one carries three bits only.
    const shard = join(root, name.slice(-3, -1));
    return { shard, file: join(shard, `${name}${EXTENSION}`) };
  }

  const oneAtATime = createOneAtATime(PATIENCE);
  const alone = <Result>(cid: string, work: () => Promise<Result>): Promise<Result> =>
    oneAtATime.run(cid, work, () => new Error('the image store does not answer'));

  return {
    async put(cid, bytes) {
      const place = fileOf(cid);
      if (place === undefined || imageCid(bytes) !== cid)
        throw new Error('the name is not the CID of the image');
      await alone(cid, async () => {
        if (await touch(place.file)) {
          // A process that was killed may have named it without having made the name durable yet.
          await syncDirectory(root);
          await syncDirectory(place.shard);
          return;
        }
        await makePrivateDirectory(place.shard);
        await writeDurably(place.file, bytes, { mode: 0o644, temporaryDirectory: incoming, replace: true });
        // The shard may be as new as the file, created by a call that is still under way.
        await syncDirectory(root);
      });
    },

    async get(cid) {
      const place = fileOf(cid);
      if (place === undefined) return undefined;
      try {
        return await readFile(place.file);
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },

    async has(cid) {
      const place = fileOf(cid);
      return place !== undefined && (await isFile(place.file));
    },

    async keep(cid) {
      const place = fileOf(cid);
      return place !== undefined && (await alone(cid, () => touch(place.file)));
    },

    async *leftAlone(since) {
      for await (const shard of await opendir(root)) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue;
        for await (const { name } of await opendir(join(root, shard.name))) {
          const place = name.endsWith(EXTENSION) ? fileOf(name.slice(0, -EXTENSION.length)) : undefined;
          if (place === undefined || !(await isLeftAlone(place.file, since))) continue;
          yield name.slice(0, -EXTENSION.length);
        }
      }
    },

    async remove(cid, leftAloneSince) {
      const place = fileOf(cid);
      if (place === undefined) return false;
      return alone(cid, async () => {
        if (!(await isLeftAlone(place.file, leftAloneSince))) return false;
        // Another process may keep it between check and removal: so it is moved aside and checked again there.
        const aside = join(incoming, `.${randomBytes(12).toString('hex')}.removed`);
        if (!(await unlessAbsent(rename(place.file, aside)))) return false;
        const wasKept = (await isFile(aside)) && !(await isLeftAlone(aside, leftAloneSince));
        if (wasKept) await rename(aside, place.file);
        else await rm(aside, { force: true });
        await syncDirectory(place.shard);
        return !wasKept;
      });
    },

    async close() {},
  };
}

/** Writes as much as a small image, and removes it. Rejects with the system's error. */
export async function probeFolder(directory: string): Promise<void> {
  const file = join(resolve(directory), INCOMING, `.${randomBytes(12).toString('hex')}.probe`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name);
    const found = await statOf(file);
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(file, { force: true });
  }
}

/** False if there is no such file. */
async function touch(file: string): Promise<boolean> {
  if (!(await isFile(file))) return false;
  const now = new Date();
  return unlessAbsent(utimes(file, now, now));
}

/** False if the file does not exist. */
async function unlessAbsent(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

async function isLeftAlone(file: string, since: Date): Promise<boolean> {
  const found = await statOf(file);
  return found?.isFile() === true && found.mtimeMs < since.getTime();
}

async function isFile(file: string): Promise<boolean> {
  return (await statOf(file))?.isFile() === true;
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
