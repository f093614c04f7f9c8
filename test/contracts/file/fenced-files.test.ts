// A fence before the removal of images: who has lost the role changes nothing.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openFileBlobStore } from '../../../src/adapters/file/blob-store.ts';
import { fencedFiles, LeaseLost } from '../../../src/kernel/runtime/lease.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('fenced files are neither kept nor removed once the role is lost, and may still be listed', async () => {
  const state = { held: true };
  const blobs = await openFileBlobStore(await temporaryFolder());
  const files = fencedFiles(blobs, { name: 'settler', isHeld: () => state.held });
  const sha256 = await blobs.put([randomBytes(32)]);
  expect(await files.retain(sha256)).toBe(true);
  state.held = false;
  const later = new Date(Date.now() + 60_000);
  for (const act of [() => files.retain(sha256), () => files.remove(sha256, later)])
    await expect(act()).rejects.toThrow(LeaseLost);
  expect(await blobs.has(sha256)).toBe(true);
  const alone: string[] = [];
  for await (const found of files.leftAlone(later)) alone.push(found);
  expect(alone).toEqual([sha256]);
});
