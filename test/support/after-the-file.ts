/** Closes the resources of a test file when its tests are over. Needs `clean-up-after-the-file.ts` among the set-up files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cleanups: (() => Promise<void>)[] = [];

/** Runs after all tests of the file, the latest first. */
export function afterTheFile(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

/** A folder that is there until all tests of the file are over. */
export async function folderForTheFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  afterTheFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
