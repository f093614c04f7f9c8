/** Opens the store of ledgers, and watches whether they can be stored in it. */
import { blobFolderOf } from '../adapters/file/blob-store.ts';
import { probeFolder } from '../adapters/file/probe-folder.ts';
import type { Configuration } from '../config/configuration.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { type WatchedStore, watchStore } from '../runtime/watched-store.ts';
import { adapterFor } from './adapters.ts';
import { folderOrRefused } from './start-refusals.ts';

export async function openBlobs(
  { ledgerStore }: Configuration,
  report: (message: string, details: object) => void,
): Promise<WatchedStore<BlobStore>> {
  const folder = ledgerStore.url.slice(ledgerStore.url.indexOf(':') + 1);
  const store = await folderOrRefused({ folder, name: 'LEDGER_STORE_URL' }, () =>
    adapterFor('blob-store', ledgerStore.url).open(ledgerStore),
  );
  return watchStore(store, {
    what: 'ledgers',
    writes: ['put', 'putFile'],
    folder,
    report,
    probe: () => probeFolder(blobFolderOf(folder)),
  });
}
