/**
 * A folder of files named by their SHA-256: `<root>/<its first two digits>/<sha256>`. A file's modification time says since when it is
 * left alone; a power cut may lose it, which makes the file look older. Several processes may use the folder.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, opendir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isSha256 } from '../../kernel/ports/blob-store.ts';
import { createKeyedMutex } from '../../kernel/runtime/keyed-mutex.ts';
import { makePrivateDirectory, syncDirectory } from './durable-file.ts';

/** Holds what is being written or removed. */
const INCOMING = 'incoming';
/** Old enough that no process can still be writing it. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** Longer than any disk takes that is not broken. Milliseconds. */
const PATIENCE = 30_000;

export interface BlobFiles {
  /** On the file system of the files. */
  readonly incoming: string;
  /** The path of a blob, whether it exists or not; undefined if the name is no SHA-256. */
  pathOf(sha256: string): string | undefined;
  /**
   * Moves a complete file under its name and restarts the time that it is left alone. A file with the right content that is
   * there already stays; another one is replaced.
   */
  store(sha256: string, complete: string): Promise<void>;
  has(sha256: string): Promise<boolean>;
  keep(sha256: string): Promise<boolean>;
  leftAlone(since: Date): AsyncIterable<string>;
  remove(sha256: string, leftAloneSince: Date): Promise<boolean>;
}

/** Creates the directory if missing. Rejects if it is not writable. */
export async function openBlobFiles(directory: string): Promise<BlobFiles> {
  const root = resolve(directory);
  const incoming = join(root, INCOMING);
  await makePrivateDirectory(incoming);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  await removeAbandoned(incoming);

  const shardOf = (sha256: string): string => join(root, sha256.slice(0, 2));
  const pathOf = (sha256: string): string | undefined =>
    isSha256(sha256) ? join(shardOf(sha256), sha256) : undefined;

  const overdue = () => new Error('the blob store does not answer');
  const { run: alone } = createKeyedMutex({ patience: { milliseconds: PATIENCE, overdue } });

  return {
    incoming,
    pathOf,

    async store(sha256, complete) {
      const shard = shardOf(sha256);
      const path = join(shard, sha256);
      await alone(sha256, async () => {
        const isWhole = (await touch(path)) && (await unlessAbsent(sha256Of(path))) === sha256;
        if (!isWhole) {
          await makePrivateDirectory(shard);
          await rename(complete, path);
        }
        // Also if it is there: a process that was killed may not have made its name durable, and the shard may be as new.
        await syncDirectory(shard);
        await syncDirectory(root);
      });
    },

    async has(sha256) {
      const path = pathOf(sha256);
      return path !== undefined && (await isFile(path));
    },

    async keep(sha256) {
      const path = pathOf(sha256);
      return path !== undefined && (await alone(sha256, () => touch(path)));
    },

    async *leftAlone(since) {
      for await (const shard of await opendir(root)) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue;
        for await (const { name } of await opendir(join(root, shard.name))) {
          const path = pathOf(name);
          if (path === join(root, shard.name, name) && (await isLeftAlone(path, since))) yield name;
        }
      }
    },

    async remove(sha256, leftAloneSince) {
      const path = pathOf(sha256);
      if (path === undefined) return false;
      return alone(sha256, async () => {
        if (!(await isLeftAlone(path, leftAloneSince))) return false;
        // Another process may keep it between check and removal: so it is moved aside and checked again there.
        const aside = join(incoming, `.${randomBytes(12).toString('hex')}.removed`);
        if ((await unlessAbsent(rename(path, aside).then(() => true))) === undefined) return false;
        const wasKept = (await isFile(aside)) && !(await isLeftAlone(aside, leftAloneSince));
        if (wasKept) await rename(aside, path);
        else await rm(aside, { force: true });
        await syncDirectory(dirname(path));
        return !wasKept;
      });
    },
  };
}

/** Where a probe of the folder writes. */
export function incomingOf(directory: string): string {
  return join(resolve(directory), INCOMING);
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name);
    const found = await unlessAbsent(stat(file));
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(file, { force: true });
  }
}

/** False if there is no such file. */
async function touch(file: string): Promise<boolean> {
  if (!(await isFile(file))) return false;
  const now = new Date();
  return (await unlessAbsent(utimes(file, now, now).then(() => true))) ?? false;
}

async function isLeftAlone(file: string, since: Date): Promise<boolean> {
  const found = await unlessAbsent(stat(file));
  return found?.isFile() === true && found.mtimeMs < since.getTime();
}

async function isFile(file: string): Promise<boolean> {
  return (await unlessAbsent(stat(file)))?.isFile() === true;
}

/** Undefined if the file does not exist. */
export async function unlessAbsent<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
