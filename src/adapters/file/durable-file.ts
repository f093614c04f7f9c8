/** Writes files atomically and durably. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface DurableWriteOptions {
  /** Permission bits, e.g. `0o600`. */
  readonly mode: number;
  /** Directory of the incomplete file, on the same file system; by default the file's own directory. */
  readonly temporaryDirectory?: string;
  /** True: replaces an existing file. False: rejects with `EEXIST` if it exists. */
  readonly replace: boolean;
}

/** The file's directory must exist. A crash can leave a `*.tmp` file behind, never a partial file. */
export async function writeDurably(
  file: string,
  bytes: Uint8Array,
  options: DurableWriteOptions,
): Promise<void> {
  const directory = dirname(file);
  const temporary = join(options.temporaryDirectory ?? directory, `.${randomBytes(12).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', options.mode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A rename would overwrite an existing file, but a link fails.
    if (options.replace) await rename(temporary, file);
    else await link(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(directory);
}

/**
 * Creates the directory and its missing parents, readable only by their owner, and makes the entries durable. Node's own
 * recursive `mkdir` never returns on file systems that accept no directories, such as /proc.
 */
export async function makePrivateDirectory(directory: string): Promise<void> {
  if (await isDirectory(directory)) return;
  const above = dirname(directory);
  if (above !== directory) await makePrivateDirectory(above);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it concurrently.
    if (await isDirectory(directory)) return;
    throw error;
  }
  await syncDirectory(above);
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return found?.isDirectory() === true;
}

/** Makes added and removed entries of a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
