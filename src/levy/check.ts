/**
 * Checks everything that startup needs, and lists all obstacles: each part is opened as at startup, and nothing
 * is written. If the data folder is a backup, its files are checked instead, because no service starts in a backup.
 */
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { base58 } from 'levy-solana-wire';
import pTimeout from 'p-timeout';
import { readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { openMongo } from '../adapters/mongodb/client.ts';
import { probeNats } from '../adapters/nats/connection.ts';
import { checkDatabase } from '../adapters/sqlite/check-database.ts';
import { openSqliteDatabase } from '../adapters/sqlite/database.ts';
import { adapterFor } from '../app/adapters.ts';
import { needsNonces, OTHER_SEED, otherChain } from '../app/chain.ts';
import {
  chainFileOf,
  holdsData,
  isBackup,
  localStores,
  requireLogIsNotLost,
  requireServiceFolders,
} from '../app/data-folder.ts';
import { listenOrRefuse, openDatabaseFolder, openFolder } from '../app/start-refusals.ts';
import {
  eventReaderOf,
  FILE_STORES,
  inUse,
  mongoDbAccess,
  openLog,
  readModelSettings,
} from '../app/stores.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import { hasNonces, NO_NONCES } from '../drafts/nonce-support.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { silentLogger } from '../kernel/ports/logger.ts';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { createEventCodec, EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { otherLog } from '../kernel/runtime/log-source.ts';
import { writerStatusIn } from '../kernel/runtime/remote-projector.ts';
import {
  type Configuration,
  ConfigurationError,
  likelyMisspelt,
  problemText,
  readConfiguration,
} from '../operations/config/configuration.ts';
import { type Listening, listenersOf } from '../operations/config/conflicts.ts';
import { natsAddress } from '../operations/config/nats-address.ts';
import { createKey, parseSigningKey } from '../server/auth/signing-key.ts';
import { SERVICE_STREAM, type ServiceState, service } from '../streams/service.ts';
import { checkBackup, gapsOf } from './backup-folder.ts';
import type { Progress } from './terminal.ts';

export interface PartReport {
  readonly part: string;
  readonly outcome: 'holds' | 'obstacles';
  readonly remarks: readonly string[];
  /** Sentences with the problem, its location and the remedy. */
  readonly obstacles: readonly { readonly problem: string }[];
}

export interface StartReport {
  readonly parts: readonly PartReport[];
  /** True if the service can start, or the backup is intact. */
  readonly holds: boolean;
  readonly isBackup?: true;
}

/** Collects the results of one part. */
interface Findings {
  remark(text: string): void;
  obstacle(problem: string): void;
  /** Runs a check; its error becomes an obstacle. Undefined after an error. */
  attempt<Result>(check: () => Promise<Result>): Promise<Result | undefined>;
}

export async function reportOn(
  part: string,
  check: (findings: Findings) => Promise<void>,
): Promise<PartReport> {
  const remarks: string[] = [];
  const obstacles: { problem: string }[] = [];
  const findings: Findings = {
    remark: (text) => void remarks.push(text),
    obstacle: (problem) => void obstacles.push({ problem }),
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        obstacles.push({ problem: errorMessage(error) });
        return undefined;
      }
    },
  };
  await findings.attempt(() => check(findings));
  return { part, outcome: obstacles.length === 0 ? 'holds' : 'obstacles', remarks, obstacles };
}

/** Milliseconds. */
const BUS_TIMEOUT = 5_000;
const CHAIN_TIMEOUT = { milliseconds: 10_000 };

/** Changes nothing. `progress` receives how much of the log has been checked. */
export async function check(
  env: NodeJS.ProcessEnv,
  progress: Progress = () => undefined,
): Promise<StartReport> {
  let configuration: Configuration | undefined;
  const first = await reportOn('configuration', async ({ obstacle, remark }) => {
    for (const { given, meant } of likelyMisspelt(env))
      remark(`the variable ${given} is unknown and has no effect; did you mean ${meant}?`);
    try {
      configuration = readConfiguration(env);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) obstacle(problemText(problem));
    }
  });
  // The other parts depend on the configuration.
  if (configuration === undefined) return { parts: [first], holds: false };
  const { dataDirectory } = configuration;
  if (!isBackup(dataDirectory)) return checkStart(env, configuration, [first], progress);
  const part = await reportOn('backup', async ({ obstacle, remark }) => {
    const { info, files, faults, missingLedgers } = await checkBackup(dataDirectory);
    remark(`${info.events} events and ${files} files, as of ${info.takenAt}`);
    for (const fault of [...faults, ...gapsOf(info, missingLedgers)]) obstacle(fault);
  });
  return { parts: [part], holds: part.outcome === 'holds', isBackup: true };
}

async function checkStart(
  env: NodeJS.ProcessEnv,
  configuration: Configuration,
  parts: PartReport[],
  progress: Progress,
): Promise<StartReport> {
  const { readModel, dataDirectory, publisher } = configuration;
  const report = async (part: string, work: (findings: Findings) => Promise<void>) =>
    void parts.push(await reportOn(part, work));

  let log: LogFacts = UNKNOWN;
  await report('log', async (findings) => {
    log = await checkLog(configuration, env, findings, progress);
  });

  let keyring: Keyring | undefined;
  await report('secrets', async (findings) => {
    keyring = await checkSecrets(configuration, log, findings);
  });

  await report('read models', async (findings) => {
    const path = pathIn(readModel.url);
    if (schemeOf(readModel.url) !== 'sqlite') await checkSharedReadModels(configuration, log, findings);
    else if (holdsData(path)) await checkFile(path, findings, { remedy: REMOVE });
    else findings.remark(`none yet: the start builds them from the log, in ${path}`);
  });

  await report('chain', (findings) => checkChain(configuration, log, keyring, findings));

  await report('files', async ({ attempt, remark }) => {
    await attempt(async () => requireServiceFolders(configuration));
    await attempt(() => requireWritable(dataDirectory, 'DATA_DIR'));
    for (const store of localStores(configuration))
      await attempt(() =>
        store.isDatabase
          ? openDatabaseFolder(store, (folder) => requireWritable(folder, store.variable))
          : requireWritable(store.folder, store.variable),
      );
    for (const { key, variable } of Object.values(FILE_STORES)) {
      const { url } = configuration[key];
      if (schemeOf(url) !== 'file')
        await attempt(async () => remark(`${variable}: ${await probeMongoDb(url, configuration)} responds`));
    }
  });

  await report('bus', async ({ remark }) => {
    if (publisher === undefined) return remark('none: outcomes are available only at GET /events');
    await probeNats({
      address: natsAddress.parse(publisher.url),
      credentialsFile: configuration.publisherCredentialsFile,
      caFile: configuration.caFile,
      timeout: BUS_TIMEOUT,
    });
    remark('responds, with JetStream');
  });

  await report('addresses', async ({ attempt }) => {
    const listen = async ({ host, port }: Listening) => {
      const server = createServer().listen({ host, port });
      await once(server, 'listening');
      await once(server.close(), 'close');
    };
    for (const where of Object.values(listenersOf(configuration)))
      if (where !== undefined) await attempt(() => listenOrRefuse(where, () => listen(where)));
  });
  return { parts, holds: parts.every(({ outcome }) => outcome === 'holds') };
}

interface LogFacts {
  /** True if the log has events; undefined if it could not be read. */
  readonly isBegun: boolean | undefined;
  /** Id of the first event, with the seed and chain that it records; undefined if the log is empty or unreadable. */
  readonly firstId?: string;
  readonly begunWith?: ServiceState;
}

const UNKNOWN: LogFacts = { isBegun: undefined };
const NOT_BEGUN: LogFacts = { isBegun: false };

/** An error is an obstacle, and leaves the log unknown. */
async function checkLog(
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  findings: Findings,
  progress: Progress,
): Promise<LogFacts> {
  const { isEmbedded, url } = configuration.eventStore;
  if (isEmbedded) {
    requireLogIsNotLost(configuration);
    if (!holdsData(pathIn(url))) {
      findings.remark(`no log yet: the first start creates it in ${pathIn(url)}`);
      return NOT_BEGUN;
    }
    if (!(await checkFile(pathIn(url), findings, { progress }))) return UNKNOWN;
  }
  const log = await openLog(env);
  try {
    const head = await log.head();
    if (head === START) {
      findings.remark('an empty log: the first start initializes it');
      return NOT_BEGUN;
    }
    const { value: first } = await log.stream(SERVICE_STREAM)[Symbol.asyncIterator]().next();
    if (first === undefined)
      throw new OperatorError(
        'the log contains events, but its first event is not of this service; set EVENT_STORE_URL (or EVENT_STORE_PREFIX) to another log',
      );
    findings.remark(`ends at position ${head}`);
    const { data } = createEventCodec([service]).decode(first);
    if (isEmbedded) await checkEvents(log, findings, progress);
    // The codec has checked the data against the schema of the stream's only type.
    return { isBegun: true, firstId: first.id, begunWith: data as NonNullable<ServiceState> };
  } finally {
    await log.close();
  }
}

const RESTORE = 'Restore a backup: docs/how-to/operate/repair-a-damaged-log.md';
const REMOVE = 'Remove it and the "-wal" file next to it: the next start builds it again from the log';

/** Checks a whole SQLite file. Returns false if it has faults. Rejects if it could not be checked. */
async function checkFile(
  path: string,
  findings: Findings,
  options: { readonly progress?: Progress; readonly remedy?: string; readonly hasFormat?: boolean },
): Promise<boolean> {
  const { progress, remedy = RESTORE, hasFormat = true } = options;
  const report = await checkDatabase(path, {
    hasFormat,
    progress: ({ part, done, of }) => (part === 'log' ? progress?.(done, of) : undefined),
  }).catch(inUse(path, 'A second start would be refused. Stop the service to check the file'));
  for (const { part, position, reason } of report.findings) {
    const where = position === undefined ? '' : ` at position ${position}`;
    findings.obstacle(`${path} is damaged, in the ${part}${where}: ${reason}. ${remedy}`);
  }
  if (report.events > 0) findings.remark(`${report.events.toLocaleString('en-US')} events in ${path}`);
  return report.findings.length === 0;
}

/** Maximum number of undecodable events that are listed. */
const MAX_NAMED = 10;

async function checkEvents(
  log: LogReader,
  { obstacle, remark }: Findings,
  progress: Progress,
): Promise<void> {
  const reader = await eventReaderOf(log);
  const of = log.extentOf(await log.head()).amount;
  let undecodable = 0;
  for await (const stored of log.events()) {
    progress(log.extentOf(stored.position).amount, of);
    try {
      reader.readNow(stored);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      undecodable += 1;
      if (undecodable > MAX_NAMED)
        return obstacle('more events cannot be decoded; `levy audit` lists all of them');
      const { problem, isNewer } = error.event;
      const remedy = isNewer
        ? 'Use the release that wrote it, or a later one'
        : 'See docs/how-to/operate/quarantine-an-event.md';
      obstacle(
        `the event ${stored.id} (${stored.type}, revision ${stored.revision} of ${stored.stream}) cannot be decoded: ${problem}. ${remedy}`,
      );
    }
  }
  if (undecodable === 0) remark('every event can be decoded');
}

/** Resolves with the keys of the master seed, if it can be read. */
async function checkSecrets(
  { roles, embedded, masterSeedFile, jwtKeyFile }: Configuration,
  { isBegun, begunWith }: LogFacts,
  { attempt, obstacle, remark }: Findings,
): Promise<Keyring | undefined> {
  // Startup generates secrets only while nothing can depend on earlier secrets.
  const isFirst = embedded && isBegun === false;
  async function readOrAnnounce<Result>(file: string, title: string, read: () => Promise<Result>) {
    if (!isFirst || existsSync(file)) return attempt(read);
    remark(`the first start generates the ${title} (${file})`);
    return undefined;
  }

  if (roles.has('api'))
    await readOrAnnounce(jwtKeyFile, 'JWT key', () =>
      readJwtKey(jwtKeyFile, { mayCreate: false, make: createKey, parse: parseSigningKey }),
    );
  if (!roles.has('api') && !roles.has('settler') && !roles.has('distributor')) return undefined;
  const read = await readOrAnnounce(masterSeedFile, 'master seed', () =>
    readMasterSeed(masterSeedFile, { mayCreate: false }),
  );
  if (read === undefined) return undefined;
  const keyring = createKeyring(read.seed);
  if (isFirst) remark('a master seed exists, but no log; if this service has run before, its log is missing');
  if (begunWith !== undefined && keyring.fingerprint !== begunWith.seedFingerprint) obstacle(OTHER_SEED);
  return keyring;
}

/** Resolves with the address in a form without secrets. */
async function probeMongoDb(url: string, configuration: Configuration): Promise<string> {
  const mongo = await openMongo({ url, ...(await mongoDbAccess(configuration)) });
  await mongo.close();
  return mongo.shown;
}

/** Checks that shared read models were built from this log, as at startup. */
export async function checkSharedReadModels(
  configuration: Pick<Configuration, 'readModel' | 'mongoDbCredentialsFile' | 'caFile'>,
  { isBegun, firstId }: LogFacts,
  findings: Findings,
): Promise<void> {
  const settings = await readModelSettings(configuration, silentLogger);
  const opened = await adapterFor('read-model', settings.url).open(settings);
  const progress = await opened.shared?.progress([]).finally(opened.close);
  const madeFrom = writerStatusIn(progress?.status)?.log;
  if (madeFrom === undefined) findings.remark('empty: the process with the role projector builds them');
  else if (isBegun === undefined) findings.remark('not compared with the log, which could not be read');
  else if (firstId === madeFrom) findings.remark('built from this log');
  else findings.obstacle(otherLog().message);
}

async function checkChain(
  configuration: Configuration,
  { begunWith }: LogFacts,
  keyring: Keyring | undefined,
  findings: Findings,
): Promise<void> {
  const { chain, chainWitness } = configuration;
  const { obstacle, remark } = findings;
  const genesis = chain.isEmbedded
    ? await embeddedGenesis(chainFileOf(configuration), begunWith !== undefined, findings)
    : await genesisAt(chain.url, 'the chain (CHAIN_URL)');
  if (genesis === undefined) return;
  if (begunWith !== undefined && begunWith.genesisHash !== genesis)
    obstacle(otherChain(genesis, begunWith.genesisHash));
  else remark(`genesis ${genesis}`);
  const seen = chainWitness && (await genesisAt(chainWitness.url, 'the witness (CHAIN_WITNESS_URL)'));
  if (seen !== undefined && seen !== genesis)
    obstacle(
      `the witness (CHAIN_WITNESS_URL) is a node of another chain, with genesis ${seen}; correct the address`,
    );
  if (!needsNonces(configuration)) return;
  const found = await pTimeout(
    hasNonces(await openNode(chain.url), keyring?.feePayer.address),
    CHAIN_TIMEOUT,
  );
  if (found === false) obstacle(NO_NONCES);
  else if (found) remark('supports durable nonces');
  else remark('support of durable nonces is unknown until the fee payer has SOL');
}

const openNode = (url: string) => adapterFor('chain', url).open({ url });

async function genesisAt(url: string, name: string): Promise<string> {
  const chain = await openNode(url);
  try {
    return await pTimeout(chain.genesisHash(), CHAIN_TIMEOUT);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new Error(`${name}: ${errorMessage(error)}. Correct the address, or wait for the node`);
  }
}

async function embeddedGenesis(
  path: string,
  isLogBegun: boolean,
  findings: Findings,
): Promise<string | undefined> {
  if (!existsSync(path)) {
    if (isLogBegun)
      findings.obstacle(
        `the file ${path} of the log's embedded chain is missing; restore it from the backup of the log`,
      );
    else findings.remark(`an embedded chain: the first start creates it in ${path}`);
    return undefined;
  }
  if (!(await checkFile(path, findings, { hasFormat: false }))) return undefined;
  const database = openSqliteDatabase(path, { isReadOnly: true, hasFormat: false });
  try {
    const [hash] = database.statement<[Uint8Array]>('SELECT hash FROM genesis').row() ?? [];
    return hash && base58(hash);
  } finally {
    await database.close();
  }
}

/** Rejects with `StartRefused` if the folder, or its nearest existing parent, is not writable. */
async function requireWritable(folder: string, name: string): Promise<void> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  // The dot makes access fail for a file.
  await openFolder({ folder, name }, () => access(`${existing}/.`, constants.W_OK | constants.X_OK));
}
