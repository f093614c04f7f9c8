/** Temporary folder for the files of one measurement. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** The folder is removed when the work ends, even after an error. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const removed = atExit(remove);
  try {
    return await work(folder);
  } finally {
    remove();
    removed();
  }
}
