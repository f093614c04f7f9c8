// What is made again where it is lost, such as sampled prices, is neither backed up nor copied.
import { expect, test } from 'vitest';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { PRICES_FILE } from '../../src/distribution/selling/prices-file.ts';
import { readLog } from '../../src/kernel/runtime/read-log.ts';
import { pathOf } from '../../src/operations/archive/backup-parts.ts';
import { copyLedgers } from '../../src/operations/archive/copy-files.ts';
import { unpaced } from '../../src/operations/archive/pace.ts';
import { takeBackup } from '../../src/operations/archive/take-backup.ts';
import { temporaryEventStore } from '../support/temporary-event-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KEPT = 'transparency/checkpoint';

async function storeWithBoth() {
  const blobs = await openFileBlobStore(await temporaryFolder());
  const sha256 = await blobs.put([Buffer.from('an allotment')]);
  for (const name of [KEPT, PRICES_FILE]) await blobs.putFile(name, Buffer.from(name));
  return { blobs, sha256 };
}

test('a backup has every named file but those', async () => {
  const { blobs } = await storeWithBoth();
  const store = await temporaryEventStore();
  const event = { id: '00000000-0000-4000-8000-000000000001', type: 'Anything', data: {}, metadata: {} };
  await store.append('thing-1', 'none', [event]);
  const source = {
    head: () => store.head(),
    events: () => readLog(store),
    unit: 'events' as const,
    blobs,
    images: { get: async () => undefined, leftAlone: () => noNames() },
    copyChain: undefined,
  };
  const paths = new Set<string>();
  for await (const part of takeBackup(source, { version: '1', now: () => new Date(), pace: unpaced }))
    if (part.kind === 'piece') paths.add(part.path);
  expect(paths).toContain(pathOf.named(KEPT));
  expect(paths).not.toContain(pathOf.named(PRICES_FILE));
  await blobs.close();
});

test('a copy of a store has every ledger and named file but those', async () => {
  const { blobs: source, sha256 } = await storeWithBoth();
  const target = await openFileBlobStore(await temporaryFolder());
  await copyLedgers({ source, target }, { found: async () => undefined, progress: () => undefined });
  expect(await target.has(sha256)).toBe(true);
  const names: string[] = [];
  for await (const name of target.listFiles('')) names.push(name);
  expect(names).toEqual([KEPT]);
  await Promise.all([source.close(), target.close()]);
});

async function* noNames(): AsyncGenerator<string> {}
