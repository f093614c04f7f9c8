/** `levy audit`: checks a log against itself, its read models, the chain and the ledgers. */
import { constants, existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
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
import { adapterFor } from '../app/adapters.ts';
import { closingAfter, type WhenClosing } from '../app/closing.ts';
import { chainFileOf, chainFolderOf } from '../app/data-folder.ts';
import {
  eventReaderOf,
  inUse,
  openFileStore,
  openReadModelsForReading,
  openScratchReadModel,
} from '../app/stores.ts';
import { createKeyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { ContentDamaged, OperatorError } from '../kernel/ports/errors.ts';
import { type Position, START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { nodeAddressesIn, pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import { projections } from '../projections/index.ts';
import { audit } from '../proof/audit/audit.ts';
import type { AuditedSystem, FurtherCheck } from '../proof/audit/audited-system.ts';
import { type AuditNode, createAuditNode } from '../proof/audit/chain/audit-node.ts';
import { CHECKS } from '../proof/audit/checks.ts';
import { auditDocuments } from '../proof/audit/documents/audit-documents.ts';
import { auditPublishedLog } from '../proof/audit/published/audit-published-log.ts';
import {
  entriesOf,
  openFileEntries,
  type PublishedEntries,
} from '../proof/audit/published/published-entries.ts';
import { exitCodeOf } from '../proof/audit/report.ts';
import { linesOfReport } from '../proof/audit/report-text.ts';
import { logFiles, servedOrigin } from '../proof/transparency/log-files.ts';
import { streams } from '../streams/index.ts';
import { LevyCommand } from './levy-command.ts';
import { type LogLocation, withLocationOptions, withLog } from './log-location.ts';
import { isPosition, lastBefore, laterThan } from './position-option.ts';
import { baseOf, fetchFile, Refused } from './service-client.ts';
import type { Terminal } from './terminal.ts';

interface AuditCommandOptions extends LogLocation {
  /** False for `--no-chain`. */
  readonly chain?: string | false;
  readonly since?: string;
}

export function auditCommand(terminal: Terminal): Command {
  return withLocationOptions(new LevyCommand('audit'))
    .summary('check the log, the read models, the chain and all payments against each other')
    .description(
      'Checks the log for consistency, the read models against the log, the log against the chain, and every payment against both. Changes nothing. The read models are at READ_MODEL_URL, by default next to the log. ' +
        'Exit code 0: all checks passed; 1: there are findings; 2: some checks could not run, for example because the node no longer has the data.',
    )
    .option('--chain <url>', 'a Solana node (default: CHAIN_URL; for an embedded chain, a copy is started)')
    .option('--no-chain', 'skip the checks that need a chain')
    .option('--since <position or time>', 'only events recorded after it; lists the skipped checks')
    .examples(`
  $ levy audit                                       the log of this folder's stopped service
  $ levy audit --service https://levy.example --operator-key-file key --chain https://api.mainnet-beta.solana.com
  $ levy audit --since 2026-11-01T00:00:00Z --json   newer events, as JSON`)
    .action((options: AuditCommandOptions) =>
      withLog(terminal, options, (log) =>
        closingAfter((whenClosing) => auditLog(terminal, log, options, whenClosing)),
      ),
    );
}

async function auditLog(
  terminal: Terminal,
  log: LogReader,
  { store, service, chain, since }: AuditCommandOptions,
  whenClosing: WhenClosing,
): Promise<void> {
  const progress = terminal.progress('auditing', 'events');
  const after = since === undefined ? START : await positionOf(log, since);
  const node = chain === false ? undefined : await openAuditedChain(chain, whenClosing);
  const files = await openAuditedFiles(service, process.env, whenClosing);
  const system: AuditedSystem = {
    log,
    file: files.ledger,
    further: [publishedLogCheck(log, files), readModelsCheck(log, { store, service })],
    ...(node && { node }),
  };
  const report = await audit(system, {
    codec: createEventCodec(streams),
    streams,
    progress: (_what, done, whole) => progress(done, whole),
    after,
  });
  await terminal.result(report, linesOfReport(report));
  const exitCode = exitCodeOf(report);
  if (exitCode === 1) terminal.foundSomething();
  if (exitCode === 2) throw new OperatorError('some checks could not run; see the report');
}

/** Position in `since`, or of the last event up to the time in `since`. */
async function positionOf(log: LogReader, since: string): Promise<Position> {
  const isLater = laterThan('--since', since);
  return isPosition(since) ? since : ((await lastBefore(log, isLater))?.position ?? START);
}

function publishedLogCheck(log: LogReader, files: AuditedFiles): FurtherCheck {
  return {
    ...CHECKS.transparency,
    needsWholeLog: 'the transparency log can only be compared with a whole log',
    async run(notes, skipped) {
      const opened = await files.publishedLog();
      if (opened === undefined) {
        notes.skipped('no transparency log exists, because no process has the role notary');
        return;
      }
      const newer = await auditPublishedLog({ log, ...opened }, notes);
      if (newer > 0) skipped(`${newer} events that are not in a checkpoint of the transparency log yet.`);
    },
  };
}

/** Compares the read models with the log; a running service exposes only its log. */
function readModelsCheck(log: LogReader, { store, service }: LogLocation): FurtherCheck {
  return {
    ...CHECKS.documents,
    needsWholeLog: 'read models can only be compared with a whole log',
    ...(service !== undefined &&
      process.env.READ_MODEL_URL === undefined && {
        skipped: 'a running service does not expose its documents; set READ_MODEL_URL to its read models',
      }),
    run: (notes, skipped) =>
      closingAfter(async (whenClosing) => {
        const live = await openReadModelsForReading(store, process.env);
        whenClosing(live.close);
        const scratch = await openScratchReadModel(whenClosing);
        await live.port.prepare(projections);
        const reader = await eventReaderOf(log);
        const options = { projections, log, reader, readModel: live.port, scratch };
        const ahead = await auditDocuments(options, notes);
        if (ahead > 0)
          skipped(`${ahead} documents that include events after the checkpoint of their read model.`);
      }),
  };
}

/**
 * Opens the node at the address, or the one of CHAIN_URL. For an embedded chain, a temporary copy is started, because a
 * running chain writes, and an audit must not change what it reads.
 */
async function openAuditedChain(url: string | undefined, whenClosing: WhenClosing): Promise<AuditNode> {
  if (url !== undefined) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new OperatorError('--chain must be the address of a Solana node: http://… or https://…');
    return openNode(url);
  }
  const configuration = readConfiguration(process.env);
  const { chain } = configuration;
  if (chain.isEmbedded) return openNode(await openCopiedChain(configuration, whenClosing));
  // One node is enough, because its data are compared with the log, not with another node.
  const [first = chain.url] = nodeAddressesIn(chain.url);
  return openNode(first);
}

async function openNode(url: string): Promise<AuditNode> {
  return createAuditNode(url, await adapterFor('chain', url).open({ url }));
}

/** Resolves with the address of the copy. */
async function openCopiedChain(configuration: Configuration, whenClosing: WhenClosing): Promise<string> {
  const file = chainFileOf(configuration);
  if (!existsSync(file))
    throw new OperatorError(
      `The embedded chain ${file} does not exist; set the address of a node with --chain, or use --no-chain`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'levy-audit-'));
  whenClosing(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'chain');
  await copyLocked(file, chainFolderOf(configuration), dataDir).catch(
    inUse(file, 'Set the address of its chain with --chain (`local chain on …`), or stop the service'),
  );
  const { localChainFiles, localChainSlotMs: slotMilliseconds } = configuration;
  const local = await openLocalChain({ dataDir, programs: localChainFiles.programs, slotMilliseconds });
  whenClosing(() => local.close());
  return local.url;
}

/** Rejects if a service has the chain open. */
async function copyLocked(file: string, from: string, to: string): Promise<void> {
  const held = openSqliteDatabase(file, { isReadOnly: true, hasFormat: false });
  try {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } finally {
    await held.close();
  }
}

type AuditedFiles = Awaited<ReturnType<typeof openAuditedFiles>>;

/** Maximum bytes of a ledger file; enough for ten million records. */
const MAX_LEDGER = 1024 ** 3;

/** Opens the running service, if set, or the store of LEDGER_STORE_URL and DATA_DIR. */
export async function openAuditedFiles(
  service: string | undefined,
  env: NodeJS.ProcessEnv,
  whenClosing: WhenClosing,
) {
  if (service !== undefined) {
    const base = baseOf(service);
    return {
      /** Reads all bytes of a ledger file; undefined if it is missing. May reject with `ContentDamaged`. */
      ledger: (sha256: string) => fetchLedger(base, sha256),
      /** Opens the transparency log; undefined if none exists. */
      publishedLog: () => openServedLog(base),
    };
  }
  const configuration = readConfiguration(env);
  const { url } = configuration.ledgerStore;
  // Opening the store would create its folder.
  if (schemeOf(url) === 'file' && !existsSync(pathIn(url)))
    return { ledger: async () => undefined, publishedLog: async () => undefined };
  const { store: blobs } = await openFileStore('ledgers', configuration);
  whenClosing(() => blobs.close());
  return {
    ledger: async (sha256: string) => blobs.read(sha256, 0, (await blobs.size(sha256)) ?? 0),
    publishedLog: () => openStoredLog(blobs, configuration),
  };
}

async function fetchLedger(base: string, sha256: string): Promise<Uint8Array | undefined> {
  try {
    return await fetchFile(base, `files/${sha256}`, MAX_LEDGER);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'LEDGER_CORRUPT') throw error;
    throw new ContentDamaged('ledger file', sha256, `the store of ${base}`);
  }
}

interface OpenedPublishedLog {
  readonly published: PublishedEntries;
  /** Key of the log: derived from the seed or, for a running service, the key that the service publishes. */
  readonly policy: Policy;
}

/** Undefined before the first publication. Rejects if the master seed cannot be read. */
async function openStoredLog(
  blobs: Pick<BlobStore, 'getFile' | 'putFile'>,
  { masterSeedFile }: Configuration,
): Promise<OpenedPublishedLog | undefined> {
  const origin = await servedOrigin(blobs);
  if (origin === undefined) return undefined;
  const files = logFiles(blobs, origin);
  const note = await files.checkpoint();
  if (note === undefined) return undefined;
  const { seed } = await readMasterSeed(masterSeedFile, { mayCreate: false });
  return {
    policy: policyOfLog(noteKey(origin, ED25519, createKeyring(seed).logKey.publicKey)),
    published: openFileEntries(files, note, await files.head()),
  };
}

/** Undefined if the service publishes none. */
async function openServedLog(base: string): Promise<OpenedPublishedLog | undefined> {
  const [note, key] = [await fetchFile(base, 'log/checkpoint'), await fetchFile(base, 'log/key')];
  if (note === undefined || key === undefined) return undefined;
  // The published log grows during the audit, so one checkpoint is used throughout.
  const read: ReadLogFile = async (path) => (path === 'checkpoint' ? note : fetchFile(base, `log/${path}`));
  return {
    policy: policyOfLog(parseVerifierKey(Buffer.from(key).toString().trim())),
    published: {
      read,
      entries: () => entriesOf(read, Buffer.from(note).toString()),
      origin: async () => undefined,
    },
  };
}
