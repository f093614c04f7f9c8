/** Images that nothing uses, and how a test sees that a service removes them. */
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfCid } from '../../src/server/images/image-cid.ts';
import type { Creator } from './creator.ts';
import { eventually } from './eventually.ts';

/** Rounds come every quarter of the time for which images are kept: two seconds. */
export const KEPT_SHORTLY = { unusedImagesKeptMs: 8_000, claimLapseMs: 5_000 };

export function fileOf(folder: string, cid: string): string {
  const sha256 = sha256OfCid(cid) ?? '';
  return join(folder, 'images', 'blobs', sha256.slice(0, 2), sha256);
}

/** Ages the file by a year. */
export async function age(folder: string, cid: string): Promise<void> {
  const longAgo = new Date(Date.now() - 365 * 86_400_000);
  await utimes(fileOf(folder, cid), longAgo, longAgo);
}

export const isServed = async ({ client }: Creator, cid: string) =>
  (await client.call('GET', `/images/${cid}.jpg`)).status === 200;

export const gone = (creator: Creator, cid: string) =>
  eventually('the image is removed', async () => !(await isServed(creator, cid)));
