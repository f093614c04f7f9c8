/** Opens what an audit reads besides the log: the chain's node, and the files of a store or of a running service. */
import { constants, existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import {
  ED25519,
  noteKey,
  type Policy,
  parseVerifierKey,
  policyOfLog,
  type ReadLogFile,
} from 'levy-transparency-log';
import { readMasterSeed } from '../adapters/file/secrets.ts';
import { openSqliteDatabase } from '../adapters/sqlite/database.ts';
import { openFileStore } from '../app/stores.ts';
import { createKeyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { ContentDamaged, OperatorError, StoreInUse } from '../kernel/ports/errors.ts';
import { nodeAddressesIn, schemeOf } from '../kernel/ports/technology.ts';
import { readBody, SMALL } from '../kernel/runtime/bounded-input.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import { type AuditNode, createAuditNode } from '../proof/audit/chain/audit-node.ts';
import {
  entriesInFiles,
  entriesOf,
  type PublishedEntries,
} from '../proof/audit/published/published-entries.ts';
import { logFiles, servedOrigin } from '../proof/transparency/log-files.ts';
import { baseOf, callPatiently } from './running-service.ts';

export interface OpenedForAudit<Part> {
  readonly part: Part;
  close(): Promise<void>;
}

export interface AuditedFiles {
  /**
   * All bytes of a ledger file, whether they are those of its name or not; undefined if it is not there. Rejects with
   * `ContentDamaged` where it is damaged and its bytes cannot be read.
   */
  ledger(sha256: string): Promise<Uint8Array | undefined>;
  /** The transparency log; undefined if there is none. */
  publishedLog(): Promise<OpenedPublishedLog | undefined>;
}

const NOT_FOUND = 404;
const UNAVAILABLE = 503;
/** Bytes: of ten million records. */
const LARGEST_LEDGER = 1024 ** 3;

/**
 * The node at the address, else the one that CHAIN_URL names. Of an embedded chain, a copy is started for as long as the
 * audit takes: a chain that runs writes, and an audit must not change what it reads.
 */
export async function openAuditedChain(
  url: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OpenedForAudit<AuditNode>> {
  if (url !== undefined) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new OperatorError('--chain is the address of a Solana node: http://… or https://…');
    return { part: createAuditNode({ url }), async close() {} };
  }
  const configuration = readConfiguration(env);
  const { chain } = configuration;
  // One is enough: what it shows is compared with the log, not with another node.
  const [first = chain.url] = nodeAddressesIn(chain.url);
  if (!chain.isEmbedded) return { part: createAuditNode({ url: first }), async close() {} };
  return openCopiedChain(configuration);
}

async function openCopiedChain({
  dataDirectory,
  localChainFiles: { programs },
  localChainSlotMs: slotMilliseconds,
}: Configuration): Promise<OpenedForAudit<AuditNode>> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-audit-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, 'chain');
    await copyChain(join(dataDirectory, 'chain'), dataDir);
    const local = await openLocalChain({ dataDir, programs, slotMilliseconds });
    const close = async () => {
      await local.close();
      await remove();
    };
    return { part: createAuditNode({ url: local.url }), close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Locks the chain meanwhile; rejects if a service has it open. */
async function copyChain(from: string, to: string): Promise<void> {
  const file = join(from, 'chain.db');
  if (!existsSync(file))
    throw new OperatorError(
      `There is no embedded chain in ${from}: give the address of a node with --chain, or --no-chain`,
    );
  const held = openHeldChain(file);
  try {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } finally {
    await held.close();
  }
}

function openHeldChain(file: string) {
  try {
    return openSqliteDatabase(file, { isReadOnly: true, hasFormat: false });
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    throw new OperatorError(
      `${file} is in use: the embedded chain runs. Give its address with --chain, as the service says when it starts (\`local chain on …\`), or stop the service`,
      { cause: error },
    );
  }
}

/** Opens the running service if given, otherwise the store that LEDGER_STORE_URL and DATA_DIR name. */
export async function openAuditedFiles(
  service: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OpenedForAudit<AuditedFiles>> {
  if (service !== undefined)
    return {
      part: {
        ledger: (sha256) => fetchFile(service, sha256),
        publishedLog: () => openServedLog(baseOf(service)),
      },
      async close() {},
    };
  const configuration = readConfiguration(env);
  const { url } = configuration.ledgerStore;
  // Opened, it would be made.
  if (schemeOf(url) === 'file' && !existsSync(url.slice('file:'.length)))
    return { part: { ledger: async () => undefined, publishedLog: async () => undefined }, async close() {} };
  const { store: blobs } = await openFileStore('ledgers', configuration);
  return {
    part: {
      // What is damaged is looked into: the audit compares all that it reads with its name.
      ledger: (sha256) => blobs.readUnchecked(sha256),
      publishedLog: () => openStoredLog(blobs, env),
    },
    close: () => blobs.close(),
  };
}

async function fetchFile(service: string, sha256: string): Promise<Uint8Array | undefined> {
  const response = await callPatiently(() => fetch(new URL(`files/${sha256}`, baseOf(service))));
  if (response.status === NOT_FOUND) return undefined;
  if (
    response.status === UNAVAILABLE &&
    Buffer.from(await readBody(response, SMALL, service)).includes('"LEDGER_CORRUPT"')
  )
    throw new ContentDamaged('ledger file', sha256, `the store of ${service}`);
  if (!response.ok)
    throw new OperatorError(`${service} answered ${response.status} for the ledger file ${sha256}`);
  return readBody(response, LARGEST_LEDGER, `the ledger file ${sha256}`);
}

interface OpenedPublishedLog {
  readonly published: PublishedEntries;
  /** The log's key: of the seed, or, for a running service, the one that it names itself. */
  readonly policy: Policy;
}

/** Undefined if nothing has been published yet. Rejects where the log's key is not to be had. */
async function openStoredLog(
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
async function openServedLog(service: string): Promise<OpenedPublishedLog | undefined> {
  const base = new URL('log/', service.endsWith('/') ? service : `${service}/`);
  const fetched: ReadLogFile = async (path) => {
    const response = await callPatiently(() => fetch(new URL(path, base)));
    if (response.status === NOT_FOUND) return undefined;
    if (!response.ok) throw new OperatorError(`${service} answered ${response.status} for /log/${path}`);
    return readBody(response, SMALL, `${service}/log/${path}`);
  };
  const [note, key] = [await fetched('checkpoint'), await fetched('key')];
  if (note === undefined || key === undefined) return undefined;
  // The published log goes on growing: one checkpoint holds for the whole audit.
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
