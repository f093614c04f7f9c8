/** A disk of a test's own, in memory and small, so that it can be filled up. */
import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Takes all room that is left. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
}

/** Until all tests of the file are over. Undefined, and said, where this machine lets nobody mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const folder = await folderForTheFile();
  try {
    const size = `size=${megabytes}m`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    console.info('SKIPPED: a full disk: this machine lets nobody mount a small one');
    return undefined;
  }
  afterTheFile(async () => void execFileSync('umount', ['-l', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    },
    makeRoom: () => rm(ballast),
  };
}
