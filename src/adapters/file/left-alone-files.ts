/**
 * A folder of files named by their content: `<root>/<shard>/<file>`. A file's modification time says since when it is
 * left alone; a power cut may lose it, which makes the file look older. Several processes may use the folder.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, opendir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createOneAtATime } from '../../kernel/runtime/one-at-a-time.ts';
import { makePrivateDirectory, syncDirectory } from './durable-file.ts';

/** Holds what is being written or removed. */
const INCOMING = 'incoming';
/** Old enough that no process can still be writing it. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** Longer than any disk takes that is not broken. Milliseconds. */
const PATIENCE = 30_000;

export interface Naming {
  /** The names in a sentence, for errors: 'image store'. */
  readonly what: string;
  /** Where a file with this name lies; undefined if it is no name. Only valid names may become part of a path. */
  readonly placeOf: (name: string) => { readonly shard: string; readonly file: string } | undefined;
  /** The name of a file that `placeOf` could have named. */
  readonly nameOf: (file: string) => string;
}

export interface LeftAloneFiles {
  readonly root: string;
  /** On the file system of the files. */
  readonly incoming: string;
  /** The path of a file, whether it exists or not; undefined if the name is none. */
  pathOf(name: string): string | undefined;
  /**
   * Stores a file under its name unless it is there already, and restarts the time that it is left alone. `isWhole` says
   * whether the file that is there has the content of its name: another one is replaced. `write` gets a path in a folder
   * that exists, and makes the file and its name durable.
   */
  store(
    name: string,
    file: {
      readonly isWhole: (path: string) => Promise<boolean>;
      readonly write: (path: string) => Promise<void>;
    },
  ): Promise<void>;
  has(name: string): Promise<boolean>;
  keep(name: string): Promise<boolean>;
  leftAlone(since: Date): AsyncIterable<string>;
  remove(name: string, leftAloneSince: Date): Promise<boolean>;
}

/** Creates the directory if missing. Rejects if it is not writable. */
export async function openLeftAloneFiles(directory: string, naming: Naming): Promise<LeftAloneFiles> {
  const root = resolve(directory);
  const incoming = join(root, INCOMING);
  await makePrivateDirectory(incoming);
  await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
  await removeAbandoned(incoming);

  function placeOf(name: string): { readonly shard: string; readonly path: string } | undefined {
    const place = naming.placeOf(name);
    return place && { shard: join(root, place.shard), path: join(root, place.shard, place.file) };
  }

  const oneAtATime = createOneAtATime(PATIENCE);
  const alone = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
    oneAtATime.run(name, work, () => new Error(`the ${naming.what} does not answer`));

  return {
    root,
    incoming,
    pathOf: (name) => placeOf(name)?.path,

    async store(name, { isWhole, write }) {
      const place = placeOf(name);
      if (place === undefined) throw new TypeError(`${name} names nothing in the ${naming.what}`);
      await alone(name, async () => {
        if ((await touch(place.path)) && (await isWhole(place.path).catch(absentAsFalse))) {
          // A process that was killed may have named it without having made the name durable yet.
          await syncDirectory(root);
          await syncDirectory(place.shard);
          return;
        }
        await makePrivateDirectory(place.shard);
        await write(place.path);
        // The shard may be as new as the file, created by a call that is still under way.
        await syncDirectory(root);
      });
    },

    async has(name) {
      const place = placeOf(name);
      return place !== undefined && (await isFile(place.path));
    },

    async keep(name) {
      const place = placeOf(name);
      return place !== undefined && (await alone(name, () => touch(place.path)));
    },

    async *leftAlone(since) {
      for await (const shard of await opendir(root)) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue;
        for await (const { name: file } of await opendir(join(root, shard.name))) {
          const name = naming.nameOf(file);
          const place = placeOf(name);
          if (place?.path !== join(root, shard.name, file)) continue;
          if (await isLeftAlone(place.path, since)) yield name;
        }
      }
    },

    async remove(name, leftAloneSince) {
      const place = placeOf(name);
      if (place === undefined) return false;
      return alone(name, async () => {
        if (!(await isLeftAlone(place.path, leftAloneSince))) return false;
        // Another process may keep it between check and removal: so it is moved aside and checked again there.
        const aside = join(incoming, `.${randomBytes(12).toString('hex')}.removed`);
        if (!(await unlessAbsent(rename(place.path, aside)))) return false;
        const wasKept = (await isFile(aside)) && !(await isLeftAlone(aside, leftAloneSince));
        if (wasKept) await rename(aside, place.path);
        else await rm(aside, { force: true });
        await syncDirectory(place.shard);
        return !wasKept;
      });
    },
  };
}

/** Where a probe of the folder writes. */
export function incomingOf(directory: string): string {
  return join(resolve(directory), INCOMING);
}

export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
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

function absentAsFalse(error: unknown): false {
  if (isAbsent(error)) return false;
  throw error;
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
