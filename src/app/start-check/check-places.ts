/** Looks whether folders can be written and addresses listened on, without writing or keeping anything. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { folderOrRefused, type Listening, listeningOrRefused } from '../start-refusals.ts';

/** The types of procfs and sysfs in Linux (`linux/magic.h`). */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** Rejects with `StartRefused` where the folder, or the one in which it would be made, cannot be written. */
export async function checkFolder(folder: string, name: string): Promise<void> {
  await folderOrRefused({ folder, name }, async () => {
    const there = await nearest(folder);
    if (!(await stat(there)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    // The kernel's own file systems say that they can be written, and take no folders.
    if (there !== folder && KERNEL_FILE_SYSTEMS.has((await statfs(there)).type))
      throw Object.assign(new Error('no folders'), { code: 'ENOENT' });
    await access(there, constants.W_OK | constants.X_OK);
  });
}

/** Rejects with `StartRefused` where a start could not listen. */
export async function checkListening(where: Listening): Promise<void> {
  // Any free one is taken.
  if (where.port === 0) return;
  await listeningOrRefused(where, async () => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: where.host, port: where.port }, resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  });
}

async function nearest(path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const found = await stat(each).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (found !== undefined || each === dirname(each)) return each;
  }
}
