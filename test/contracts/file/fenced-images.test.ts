// A fence before the image store: who has lost the role may read, and changes nothing.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openFileImageStore } from '../../../src/adapters/file/image-store.ts';
import { fencedImages } from '../../../src/kernel/leases/fenced.ts';
import { LeaseLost } from '../../../src/kernel/leases/lease-term.ts';
import { imageCid } from '../../../src/server/images/image-cid.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function holding() {
  const state = { held: true };
  return { state, term: { name: 'settler', isHeld: () => state.held } };
}

test('a fenced image store changes nothing once the role is lost, and may still be read', async () => {
  const { state, term } = holding();
  const images = fencedImages(await openFileImageStore(await temporaryFolder()), term);
  const bytes = randomBytes(32);
  const cid = await imageCid(bytes);
  await images.put(cid, bytes);
  state.held = false;
  for (const act of [
    () => images.put(cid, bytes),
    () => images.keep(cid),
    () => images.remove(cid, new Date(Date.now() + 60_000)),
  ])
    await expect(act()).rejects.toThrow(LeaseLost);
  expect(await images.has(cid)).toBe(true);
  const alone: string[] = [];
  for await (const found of images.leftAlone(new Date(Date.now() + 60_000))) alone.push(found);
  expect(alone).toEqual([cid]);
});
