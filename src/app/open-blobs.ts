/** Opens the store of ledgers, and watches whether they can be stored in it. */
import type { Configuration } from '../config/configuration.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ClientMeter } from '../ports/client-meter.ts';
import { type WatchedStore, watchStore } from '../runtime/watched-store.ts';
import { adapterFor } from './adapters.ts';
import { openFiles } from './open-files.ts';

export async function openBlobs(
  configuration: Configuration,
  {
    report,
    meter,
  }: { readonly report: (message: string, details: object) => void; readonly meter: ClientMeter },
): Promise<WatchedStore<BlobStore>> {
  const { ledgerStore, mongoDbCredentialsFile: credentials, caFile: ca } = configuration;
  const opened = await openFiles(
    adapterFor('blob-store', ledgerStore.url),
    { ...ledgerStore, name: 'LEDGER_STORE_URL' },
    { credentials, ca, meter, report },
  );
  return watchStore(opened, { what: 'ledgers', writes: ['put', 'putFile'], report });
}
