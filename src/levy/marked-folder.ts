/** A folder that is marked as incomplete while a command writes into it. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory, writeDurably } from '../adapters/file/durable-file.ts';
import { INCOMPLETE, isBackup } from '../app/data-folder.ts';
import { OperatorError } from '../kernel/ports/errors.ts';

type Work = 'levy backup' | 'levy restore';

/**
 * Makes the folder, and has it filled. It is marked as incomplete until everything in it is durable; what an interruption of
 * the same work left is removed first. Rejects with `OperatorError` if it holds something else, and where the system refuses
 * a file; then it is empty.
 */
export async function fillFolder<Result>(
  folder: string,
  work: Work,
  fill: () => Promise<Result>,
): Promise<Result> {
  const [first, ...more] = await namesIn(folder);
  if (first !== undefined && !(await isLeftBy(folder, work)))
    throw new OperatorError(
      `the folder "${folder}" holds ${first}${more.length > 0 ? ' and more' : ''}: "${work}" writes into an empty folder only. Move what is there away, or name another folder`,
    );
  try {
    await clearFolder(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(join(folder, INCOMPLETE), Buffer.from(`${work}\n`), { mode: 0o600, replace: true });
    const result = await fill();
    await syncFolders(folder);
    await rm(join(folder, INCOMPLETE));
    await syncDirectory(folder);
    return result;
  } catch (error) {
    await clearFolder(folder);
    await rm(join(folder, INCOMPLETE), { force: true });
    throw error instanceof Error && 'syscall' in error
      ? new OperatorError(`"${folder}" cannot be written: ${error.message}`, { cause: error })
      : error;
  }
}

/** Everything but the mark. */
async function clearFolder(folder: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (name !== INCOMPLETE) await rm(join(folder, name), { recursive: true, force: true });
}

async function isLeftBy(folder: string, work: Work): Promise<boolean> {
  const mark = await readFile(join(folder, INCOMPLETE), 'utf8').catch(() => undefined);
  // A backup is complete before it takes its own name.
  return mark === undefined ? work === 'levy backup' && isBackup(folder) : mark.trim() === work;
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return [];
    throw new OperatorError(`the folder "${folder}" cannot be used (${code}): name another one`, {
      cause: error,
    });
  });
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncDirectory(folder);
}
