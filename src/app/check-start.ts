/** Checks everything that a start needs, and lists all obstacles. Writes nothing, and starts nothing. */
import { constants as access, existsSync } from 'node:fs';
import { access as requireAccess, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { base58 } from 'levy-solana-wire';
import pTimeout from 'p-timeout';
import { readCredentials, readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import { hasNonces, NO_NONCES } from '../drafts/nonce-support.ts';
import { StoreInUse } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { silentLogger } from '../kernel/ports/logger.ts';
import { nodeAddressesIn, pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { createEventCodec, EventUndecodable } from '../kernel/runtime/event-codec.ts';
import { otherLog } from '../kernel/runtime/log-source.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { writerStatusIn } from '../kernel/runtime/remote-projection.ts';
import { likelyMisspelt, problemText, surveyConfiguration } from '../operations/config/configuration.ts';
import { constants } from '../operations/config/constants.ts';
import { natsAddress } from '../operations/config/nats-address.ts';
import type { Role } from '../operations/config/roles.ts';
import type { Values } from '../operations/config/variables.ts';
import { createKey, parseSigningKey } from '../server/auth/signing-key.ts';
import { SERVICE_STREAM, type ServiceState, service } from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import { needsNonces, OTHER_SEED, otherChain } from './chain.ts';
import { chainFileOf, holdsLog, localStores, lostLog, requireServiceFolders } from './data-folder.ts';
import {
  databaseFolderOrRefused,
  folderOrRefused,
  listenersOf,
  listeningOrRefused,
} from './start-refusals.ts';
import { eventReaderOf, mongoDbAccess, openLog } from './stores.ts';

export interface Obstacle {
  /** A sentence: what is wrong, where, and what to do. */
  readonly problem: string;
  /** A shell command that removes the obstacle. */
  readonly command?: string;
}

export interface PartReport {
  readonly part: string;
  /** `not checked`: something that it needs has an obstacle itself. */
  readonly outcome: 'holds' | 'obstacles' | 'not checked';
  /** Results, or why it was not checked. */
  readonly remarks: readonly string[];
  readonly obstacles: readonly Obstacle[];
}

export interface StartReport {
  readonly parts: readonly PartReport[];
  /** The service can start. */
  readonly holds: boolean;
}

type ShowProgress = (done: number, of: number) => void;

/** Collects the results of one part. */
interface Findings {
  remark(text: string): void;
  obstacle(problem: string, command?: string): void;
  /** An error of the check is an obstacle. Undefined if there was one. */
  attempt<Result>(check: () => Promise<Result>): Promise<Result | undefined>;
}

export async function reportOn(
  part: string,
  check: (findings: Findings) => Promise<void>,
): Promise<PartReport> {
  const remarks: string[] = [];
  const obstacles: Obstacle[] = [];
  const findings: Findings = {
    remark: (text) => void remarks.push(text),
    obstacle: (problem, command) =>
      void obstacles.push({ problem, ...(command !== undefined && { command }) }),
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        obstacles.push({ problem: messageOf(error) });
        return undefined;
      }
    },
  };
  await findings.attempt(() => check(findings));
  return { part, outcome: obstacles.length === 0 ? 'holds' : 'obstacles', remarks, obstacles };
}

interface CheckOptions {
  /** Receives how much of the log has been checked. */
  readonly progress?: ShowProgress;
  /** Reads every event of a log on a server as well. */
  readonly isDeep?: boolean;
}

/** A PNG of one black pixel. */
const SMALL_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
/** Milliseconds. */
const BUS_PATIENCE = 5_000;

export async function checkStart(env: NodeJS.ProcessEnv, options: CheckOptions = {}): Promise<StartReport> {
  const { values, problems } = surveyConfiguration(env);
  const { eventStore, readModel, chain, dataDirectory, roles, publisher, imageStore, ledgerStore } = values;
  const parts: PartReport[] = [];
  const report = async (part: string, check: (findings: Findings) => Promise<void>) =>
    void parts.push(await reportOn(part, check));
  const skip = (part: string, because: string) =>
    void parts.push({ part, outcome: 'not checked', remarks: [because], obstacles: [] });

  await report('configuration', async ({ obstacle, remark }) => {
    for (const problem of problems) obstacle(problemText(problem));
    for (const { given, meant } of likelyMisspelt(env))
      remark(`the variable ${given} is unknown and has no effect: is ${meant} meant?`);
  });

  let log: LogFacts = UNKNOWN;
  if (eventStore === undefined) skip('log', 'EVENT_STORE_URL is wrong');
  else
    await report('log', async (findings) => {
      log = await checkLog({ ...values, eventStore }, env, findings, options);
    });

  let keyring: Keyring | undefined;
  await report('secrets', async (findings) => {
    keyring = await checkSecrets(values, log.isBegun, findings);
    const begunWith = log.begunWith?.seedFingerprint;
    if (keyring !== undefined && begunWith !== undefined && keyring.fingerprint !== begunWith)
      findings.obstacle(OTHER_SEED);
  });

  if (readModel === undefined || eventStore === undefined)
    skip('read models', 'READ_MODEL_URL or EVENT_STORE_URL is wrong');
  else
    await report('read models', async (findings) => {
      const path = pathIn(readModel.url);
      if (schemeOf(readModel.url) !== 'sqlite') {
        findings.remark(`${await probeMongoDb(readModel.url, values)} answers`);
        await checkSharedReadModels({ ...values, readModel }, env, log, findings);
      } else if (holdsLog(path)) await checkFile(path, findings, { ...options, remedy: REMOVE });
      else findings.remark(`none yet: the start fills them from the log, in ${path}`);
    });

  if (chain === undefined || dataDirectory === undefined) skip('chain', 'CHAIN_URL or DATA_DIR is wrong');
  else
    await report('chain', (findings) =>
      checkChain({ ...values, chain, dataDirectory }, log.begunWith, keyring, findings),
    );

  await report('files', async ({ attempt, remark }) => {
    await attempt(async () => requireServiceFolders(values));
    if (dataDirectory !== undefined) await attempt(() => checkFolder(dataDirectory, 'DATA_DIR'));
    for (const store of localStores(values))
      await attempt(() =>
        store.isDatabase
          ? databaseFolderOrRefused(store, (folder) => checkFolder(folder, store.variable))
          : checkFolder(store.folder, store.variable),
      );
    for (const [name, store] of Object.entries({
      IMAGE_STORE_URL: imageStore,
      LEDGER_STORE_URL: ledgerStore,
    }))
      if (store !== undefined && schemeOf(store.url) !== 'file')
        await attempt(async () => remark(`${name}: ${await probeMongoDb(store.url, values)} answers`));
  });

  // The program that converts uploads is compiled: a system may lack what it needs.
  await report('images', async ({ remark, obstacle }) => {
    if (!hasRole(roles, 'api')) return remark('no uploads are taken: the role is not api');
    const { processImage } = await import('../server/images/process-image.ts');
    const converted = await processImage(SMALL_PICTURE);
    if (converted.ok) remark('an upload can be made an image');
    else
      obstacle(
        `a picture cannot be made an image: ${converted.why}. Install the service anew with \`npm ci\``,
      );
  });

  await report('bus', async ({ remark }) => {
    if (publisher === undefined) return remark('none: outcomes are told by GET /events');
    const { probeNats } = await import('../adapters/nats/connection.ts');
    await probeNats({
      address: natsAddress.parse(publisher.url),
      credentialsFile: values.publisherCredentialsFile,
      caFile: values.caFile,
      timeout: BUS_PATIENCE,
    });
    remark('it answers, and has JetStream');
  });

  await report('addresses', async ({ attempt }) => {
    for (const where of Object.values(listenersOf(values))) {
      // Port 0 takes any free one.
      if (where.port === 0) continue;
      await attempt(() =>
        listeningOrRefused(where, async () => {
          const server = createServer();
          await new Promise<void>((resolve, reject) => {
            server.once('error', reject);
            server.listen({ host: where.host, port: where.port }, resolve);
          });
          await new Promise((resolve) => server.close(resolve));
        }),
      );
    }
  });
  return { parts, holds: parts.every(({ outcome }) => outcome === 'holds') };
}

/** Roles that are not known are all of them. */
function hasRole(roles: ReadonlySet<Role> | undefined, ...any: readonly Role[]): boolean {
  return roles === undefined || any.some((role) => roles.has(role));
}

interface LogFacts {
  /** Undefined where it could not be read. */
  readonly isBegun: boolean | undefined;
  /** The seed and chain that it was begun with; undefined if it is empty, or not known. */
  readonly begunWith: ServiceState;
}

const UNKNOWN: LogFacts = { isBegun: undefined, begunWith: undefined };
const NOT_BEGUN: LogFacts = { isBegun: false, begunWith: undefined };

async function checkLog(
  values: Partial<Values> & Pick<Values, 'eventStore'>,
  env: NodeJS.ProcessEnv,
  findings: Findings,
  options: CheckOptions,
): Promise<LogFacts> {
  const { isEmbedded, url } = values.eventStore;
  if (isEmbedded) {
    const path = pathIn(url);
    const lost = lostLog(values);
    if (lost !== undefined) {
      findings.obstacle(lost);
      return UNKNOWN;
    }
    if (!holdsLog(path)) {
      findings.remark(`no log yet: the first start begins it in ${path}`);
      return NOT_BEGUN;
    }
    if (!(await checkFile(path, findings, options))) return UNKNOWN;
  }
  const found = await findings.attempt(async () => {
    const log = await openLog({}, { env });
    try {
      const head = await log.head();
      if (head === '') {
        findings.remark('an empty log: the first start begins it');
        return NOT_BEGUN;
      }
      for await (const event of log.stream(SERVICE_STREAM)) {
        const { data } = createEventCodec([service]).decode(event);
        findings.remark(`it ends at position ${head}`);
        // A file is read whole anyway.
        if (options.isDeep || isEmbedded) await checkEvents(log, findings, options.progress);
        else findings.remark('its events were not decoded: levy check --deep does it');
        // The codec has checked the data by the schema of the stream's only type.
        return { isBegun: true, begunWith: data as NonNullable<ServiceState> };
      }
      findings.obstacle(
        'the log holds events but was not begun by this service: point EVENT_STORE_URL (or EVENT_STORE_PREFIX) at another',
      );
      return UNKNOWN;
    } finally {
      await log.close();
    }
  });
  return found ?? UNKNOWN;
}

const RESTORE = 'Restore a backup: docs/how-to/operate/mend-a-damaged-log.md';
const REMOVE = 'Remove it and the "-wal" file beside it: the next start fills it anew from the log';

/** Checks a whole file of SQLite. Whether it could be checked and nothing was found. */
async function checkFile(
  path: string,
  findings: Findings,
  options: Pick<CheckOptions, 'progress'> & { readonly remedy?: string; readonly hasFormat?: boolean },
): Promise<boolean> {
  const { progress, remedy = RESTORE, hasFormat = true } = options;
  const { checkDatabase } = await import('../adapters/sqlite/check-database.ts');
  const report = await checkDatabase(path, {
    hasFormat,
    progress: ({ part, done, of }) => (part === 'log' ? progress?.(done, of) : undefined),
  }).catch((error: unknown) => {
    if (!(error instanceof StoreInUse)) throw error;
    findings.obstacle(
      `${path} is in use: a service runs on it, and a second start would be refused. Its own GET /ready says how it is; stop it to check the file`,
    );
    return undefined;
  });
  if (report === undefined) return false;
  for (const { part, position, reason } of report.findings) {
    const where = position === undefined ? '' : ` at position ${position}`;
    findings.obstacle(`${path} is damaged, in the ${part}${where}: ${reason}. ${remedy}`);
  }
  if (report.events > 0) findings.remark(`${report.events.toLocaleString('en-US')} events in ${path}`);
  return report.findings.length === 0;
}

/** Events that are named; more are counted. */
const MOST_NAMED = 10;
const PROGRESS_EVENTS = 1_000;

async function checkEvents(
  log: LogReader,
  findings: Findings,
  progress: ShowProgress = () => undefined,
): Promise<void> {
  const reader = await eventReaderOf(log);
  const of = log.extentOf(await log.head()).amount;
  let [events, undecodable] = [0, 0];
  for await (const stored of log.events()) {
    events += 1;
    if (events % PROGRESS_EVENTS === 0) progress(log.extentOf(stored.position).amount, of);
    try {
      reader.readNow(stored);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      undecodable += 1;
      if (undecodable > MOST_NAMED) continue;
      const { problem, isNewer } = error.event;
      const remedy = isNewer
        ? 'Use the release that wrote it, or a later one'
        : 'What to do: docs/how-to/operate/give-up-an-event.md';
      findings.obstacle(
        `the event ${stored.id} (${stored.type}, revision ${stored.revision} of ${stored.stream}) cannot be decoded: ${problem}. ${remedy}`,
      );
    }
  }
  if (undecodable > MOST_NAMED)
    findings.obstacle(`${undecodable - MOST_NAMED} more events cannot be decoded`);
  else if (undecodable === 0) findings.remark('every event can be decoded');
}

/** Prints a private JWK (Ed25519) with the thumbprint of RFC 7638, which wants the members in this order. */
const PRINT_JWT_KEY =
  'node -e \'const c=require("crypto"),k=c.generateKeyPairSync("ed25519").privateKey.export({format:"jwk"});' +
  'k.alg="EdDSA";k.kid=c.createHash("sha256").update(JSON.stringify({crv:k.crv,kty:k.kty,x:k.x})).digest("base64url");' +
  "console.log(JSON.stringify(k))'";
const PRINT_SEED = 'openssl rand -hex 32';

/** Resolves with the keys of the master seed, where that can be read. */
async function checkSecrets(
  values: Partial<Values>,
  isLogBegun: boolean | undefined,
  findings: Findings,
): Promise<Keyring | undefined> {
  const { roles, masterSeedFile, jwtKeyFile } = values;
  const isEmbedded = values.eventStore?.isEmbedded === true && values.chain?.isEmbedded === true;
  // A start makes them where nothing can depend on others yet.
  const mayCreate = isEmbedded && isLogBegun === false;

  let keyring: Keyring | undefined;
  if (hasRole(roles, 'api', 'settler', 'distributor') && masterSeedFile !== undefined) {
    const missing = `there is no master seed file ${masterSeedFile}`;
    if (existsSync(masterSeedFile)) {
      const read = await findings.attempt(() => readMasterSeed(masterSeedFile, { mayCreate: false }));
      keyring = read && createKeyring(read.seed);
      if (keyring !== undefined && mayCreate)
        findings.remark(
          'there is a master seed but no log: if this service has run before, its log is missing',
        );
    } else if (mayCreate) findings.remark(`the first start makes the master seed (${masterSeedFile})`);
    else if (isLogBegun) findings.obstacle(`${missing}, and the log was begun with one: put back that file`);
    else findings.obstacle(`${missing}. ${PUT_BACK_OR_MAKE}`, commandThatMakes(masterSeedFile, PRINT_SEED));
  }
  if (hasRole(roles, 'api') && jwtKeyFile !== undefined) {
    const missing = `there is no JWT key file ${jwtKeyFile}`;
    const command = commandThatMakes(jwtKeyFile, PRINT_JWT_KEY);
    if (existsSync(jwtKeyFile))
      await findings.attempt(() =>
        readJwtKey(jwtKeyFile, { mayCreate: false, make: createKey, parse: parseSigningKey }),
      );
    else if (mayCreate) findings.remark(`the first start makes the JWT key (${jwtKeyFile})`);
    else if (isLogBegun)
      findings.obstacle(
        `${missing}, and the log was begun with one: put back that file, or make another one: users then sign in anew`,
        command,
      );
    else findings.obstacle(`${missing}. ${PUT_BACK_OR_MAKE}`, command);
  }
  // Both may name the same file.
  const credentials = new Map([
    [values.eventStoreCredentialsFile, 'EventStoreDB credentials'],
    [values.mongoDbCredentialsFile, 'MongoDB credentials'],
  ]);
  for (const [file, title] of credentials) {
    if (file === undefined) continue;
    if (existsSync(file)) await findings.attempt(() => readCredentials(file, title));
    else
      findings.obstacle(
        `there is no ${title} file ${file}: write the user, a colon and the password to it, readable by its owner alone (mode 0600)`,
      );
  }
  return keyring;
}

const PUT_BACK_OR_MAKE =
  'If this service has run before, put back the file that it ran with; for a new service make one, and keep a copy of it';

/** Readable by its owner only, from its creation on. */
function commandThatMakes(file: string, print: string): string {
  return `(umask 077; mkdir -p ${quoted(dirname(file))} && ${print} > ${quoted(file)})`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Resolves with the address as messages may show it. */
async function probeMongoDb(url: string, values: Partial<Values>): Promise<string> {
  const { openMongo } = await import('../adapters/mongodb/client.ts');
  const mongo = await openMongo({ url, ...(await mongoDbAccess(values)) });
  await mongo.close();
  return mongo.shown;
}

/** Checks whether the read models that other processes share were made from this log, as a start does. */
export async function checkSharedReadModels(
  { readModel: { url }, ...values }: Partial<Values> & Pick<Values, 'readModel'>,
  env: NodeJS.ProcessEnv,
  { isBegun }: Pick<LogFacts, 'isBegun'>,
  findings: Findings,
): Promise<void> {
  const opened = await adapterFor('read-model', url).open({
    url,
    logger: silentLogger,
    ...(await mongoDbAccess(values)),
  });
  const progress = await opened.shared?.progress([]).finally(opened.close);
  const madeFrom = writerStatusIn(progress?.status)?.log;
  if (madeFrom === undefined) findings.remark('empty: the process with the role projector fills them');
  else if (isBegun === undefined) findings.remark('not compared with the log, which could not be read');
  else if (isBegun && (await firstEventId(env)) === madeFrom) findings.remark('made from this log');
  else findings.obstacle(otherLog().message);
}

async function firstEventId(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const log = await openLog({}, { env });
  try {
    for await (const { id } of log.events()) return id;
    return undefined;
  } finally {
    await log.close();
  }
}

/** Milliseconds. */
const CHAIN_PATIENCE = { milliseconds: 10_000 };

const openNode = (url: string) => adapterFor('chain', url).open({ url });

async function checkChain(
  values: Partial<Values> & Pick<Values, 'chain' | 'dataDirectory'>,
  begunWith: ServiceState,
  keyring: Keyring | undefined,
  findings: Findings,
): Promise<void> {
  const { chain, chainWitness, roles } = values;
  const { attempt, obstacle, remark } = findings;
  const genesis = chain.isEmbedded
    ? await embeddedGenesis(chainFileOf(values), begunWith !== undefined, findings)
    : await genesisOfNodes(nodeAddressesIn(chain.url), findings);
  if (genesis === undefined) return;
  if (begunWith !== undefined && begunWith.genesisHash !== genesis)
    obstacle(otherChain(genesis, begunWith.genesisHash));
  else remark(`genesis ${genesis}`);

  // Too little SOL keeps no service from starting: it works without what the SOL is for.
  if (!chain.isEmbedded && keyring !== undefined)
    await attempt(async () => {
      const node = await openNode(chain.url);
      const { feePayerFloor, distributorFloor } = constants;
      for (const [role, title, key, floor, without] of [
        ['api', 'fee payer', keyring.feePayer, feePayerFloor, 'drafts are refused'],
        ['distributor', 'distributor', keyring.distributor, distributorFloor, 'no run is opened'],
      ] as const) {
        if (!hasRole(roles, role)) continue;
        const balance = await pTimeout(node.balance(key.address), CHAIN_PATIENCE);
        const lack = balance < floor ? `: ${without} until it has ${floor}` : '';
        remark(`the ${title} ${key.address} has ${balance} lamports${lack}`);
      }
    });
  if (needsNonces(values))
    await attempt(async () => {
      const node = await openNode(chain.url);
      const found = await pTimeout(hasNonces(node, keyring?.feePayer.address), CHAIN_PATIENCE);
      if (found === false) obstacle(NO_NONCES);
      else if (found) remark('it has durable nonces');
      else remark('it does not tell whether it has durable nonces until the fee payer has SOL');
    });
  if (chainWitness === undefined) return;
  const seen = await attempt(() => genesisAt(chainWitness.url, 'the witness (CHAIN_WITNESS_URL)'));
  if (seen !== undefined && seen !== genesis)
    obstacle(`the witness (CHAIN_WITNESS_URL) is a node of another chain: its genesis is ${seen}`);
}

/** The genesis hash of the first node that answers. The service starts without the others, but not with a node of another chain. */
async function genesisOfNodes(urls: readonly string[], findings: Findings): Promise<string | undefined> {
  const found = await Promise.all(
    urls.map(async (url) => ({
      host: new URL(url).host,
      genesis: await findings.attempt(() => genesisAt(url, 'the chain (CHAIN_URL)')),
    })),
  );
  const known = found.filter(({ genesis }) => genesis !== undefined);
  const [first] = known;
  if (known.some(({ genesis }) => genesis !== first?.genesis)) {
    const each = known.map(({ host, genesis }) => `${host} (genesis ${genesis})`).join(', ');
    findings.obstacle(`CHAIN_URL names nodes of different chains: ${each}. Remove those of another chain.`);
  }
  return first?.genesis;
}

async function genesisAt(url: string, name: string): Promise<string> {
  const chain = await openNode(url);
  try {
    return await pTimeout(chain.genesisHash(), CHAIN_PATIENCE);
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}. Correct the address, or wait for the node`);
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
        `the log was begun on an embedded chain whose file ${path} is missing: put it back from the backup of the log`,
      );
    else findings.remark(`an embedded chain: the first start begins it in ${path}`);
    return undefined;
  }
  if (!(await checkFile(path, findings, { hasFormat: false }))) return undefined;
  const { openSqliteDatabase } = await import('../adapters/sqlite/database.ts');
  const database = openSqliteDatabase(path, { isReadOnly: true, hasFormat: false });
  try {
    const [hash] = database.statement<[Uint8Array]>('SELECT hash FROM genesis').row() ?? [];
    return hash && base58(hash);
  } finally {
    await database.close();
  }
}

/** The types of procfs and sysfs in Linux (`linux/magic.h`). */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** Rejects with `StartRefused` where the folder, or the one in which it would be made, cannot be written. */
async function checkFolder(folder: string, name: string): Promise<void> {
  await folderOrRefused({ folder, name }, async () => {
    const existing = await nearest(folder);
    if (!(await stat(existing)).isDirectory())
      throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    // The kernel's own file systems report that they can be written, and take no folders.
    if (existing !== folder && KERNEL_FILE_SYSTEMS.has((await statfs(existing)).type))
      throw Object.assign(new Error('no folders'), { code: 'ENOENT' });
    await requireAccess(existing, access.W_OK | access.X_OK);
  });
}

async function nearest(path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const found = await stat(each).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (found !== undefined || each === dirname(each)) return each;
  }
}
