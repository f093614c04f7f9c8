/** Opens the transparency log for an audit: from the files of a stopped service, or as a running one publishes it. */
import {
  ED25519,
  noteKey,
  type Policy,
  parseVerifierKey,
  policyOfLog,
  type ReadLogFile,
} from 'levy-transparency-log';
import { readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { readBody, SMALL } from '../kernel/runtime/bounded-input.ts';
import { readConfiguration } from '../operations/config/configuration.ts';
import {
  entriesInFiles,
  entriesOf,
  type PublishedEntries,
} from '../proof/audit/published/published-entries.ts';
import { logFiles, servedOrigin } from '../proof/transparency/log-files.ts';
import { patientFetch } from './patient-fetch.ts';

export interface OpenedPublishedLog {
  readonly published: PublishedEntries;
  /** The log's key: of the seed, or, for a running service, the one that it names itself. */
  readonly policy: Policy;
}

const NOT_FOUND = 404;

/** Undefined if nothing has been published yet. Rejects where the log's key is not to be had. */
export async function openStoredLog(
  blobs: Pick<BlobStore, 'getFile' | 'putFile'>,
  env: NodeJS.ProcessEnv,
): Promise<OpenedPublishedLog | undefined> {
  const origin = await servedOrigin(blobs);
  if (origin === undefined) return undefined;
  const files = logFiles(blobs, origin);
  const note = await files.checkpoint();
  if (note === undefined) return undefined;
  const { seed } = await readMasterSeed(readConfiguration(env).masterSeedFile, { mayCreate: false });
  return {
    policy: policyOfLog(noteKey(origin, ED25519, createKeyring(seed).logKey.publicKey)),
    published: entriesInFiles(files, note, await files.head()),
  };
}

/** Undefined if it publishes none. */
export async function openServedLog(service: string): Promise<OpenedPublishedLog | undefined> {
  const base = new URL('log/', service.endsWith('/') ? service : `${service}/`);
  const fetched: ReadLogFile = async (path) => {
    const response = await patientFetch(new URL(path, base));
    if (response.status === NOT_FOUND) return undefined;
    if (!response.ok) throw new OperatorError(`${service} answered ${response.status} for /log/${path}`);
    return readBody(response, SMALL, `${service}/log/${path}`);
  };
  const [note, key] = [await fetched('checkpoint'), await fetched('key')];
  if (note === undefined || key === undefined) return undefined;
  // What is published goes on growing: one checkpoint holds for the whole audit.
  const read: ReadLogFile = async (path) => (path === 'checkpoint' ? note : fetched(path));
  return {
    policy: policyOfLog(parseVerifierKey(Buffer.from(key).toString().trim())),
    published: {
      read,
      entries: (from) => entriesOf(read, Buffer.from(note).toString(), from),
      origin: async () => undefined,
    },
  };
}
