/** Several processes of the service on one event store and one chain, as on several machines: only files of secrets and images are shared. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEventStoreDb } from '../../src/adapters/eventstoredb/event-store.ts';
import type { Keyring } from '../../src/chain/keys.ts';
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { fund } from './creator.ts';
import { secretsIn } from './secret-files.ts';
import type { Environment } from './service.ts';
import { openTestChain } from './service-on-chain.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { wholeLog } from './temporary-event-store.ts';

/** Public address of tokens; the tests call the processes' own addresses. */
export const PUBLIC_URL = 'https://levy.example.com';

export interface SeveralProcesses {
  readonly chainUrl: string;
  readonly keyring: Keyring;
  /** Number of the log's streams. */
  readonly prefix: string;
  readonly environment: Environment;
  /** Starts one with a folder of its own, or on the folder of one that was before. */
  start(
    roles: string,
    options?: { readonly folder?: string; readonly environment?: Environment },
  ): Promise<ServiceProcess>;
  /** The log, as somebody sees it who reads it beside the service. */
  readonly store: EventStore;
  events(): Promise<readonly RecordedEvent[]>;
}

export async function openSeveralProcesses(options: {
  readonly eventStoreUrl: string;
  readonly environment?: Environment;
}): Promise<SeveralProcesses> {
  const shared = await folderForTheFile();
  const { keyring, environment: secrets } = await secretsIn(shared);
  await mkdir(join(shared, 'images'));
  const chain = await openTestChain();
  await fund(chain.url, keyring.feePayer.address, 10_000_000_000);

  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const environment: Environment = {
    EVENT_STORE_URL: options.eventStoreUrl,
    EVENT_STORE_PREFIX: prefix,
    CHAIN_URL: chain.url,
    PUBLIC_URL,
    IMAGE_STORE_URL: `file:${join(shared, 'images')}`,
    LEDGER_STORE_URL: `file:${join(shared, 'ledgers')}`,
    ...secrets,
    NONCE_ACCOUNTS_MIN: '4',
    LEASE_TTL: '2s',
    ...options.environment,
  };
  const store = await openEventStoreDb({ url: options.eventStoreUrl, prefix });
  afterTheFile(() => store.close());
  return {
    chainUrl: chain.url,
    keyring,
    prefix,
    environment,
    store,
    start: (roles, { folder, environment: own } = {}) =>
      startServiceProcess({ ...environment, ROLES: roles, ...own }, folder === undefined ? {} : { folder }),
    events: () => wholeLog(store),
  };
}
