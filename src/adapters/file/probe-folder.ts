/** Finds out whether a store's folder can be written to. */
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { incomingOf } from './blob-files.ts';

const PROBE_BYTES = 256 * 1024;

/** Writes as much as a small image, and removes it. Rejects with the system's error. */
export async function probeFolder(directory: string): Promise<void> {
  const file = join(incomingOf(directory), `.${randomBytes(12).toString('hex')}.probe`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flush: true });
  } finally {
    await rm(file, { force: true });
  }
}
