/** Checks everything that a start needs, and lists all obstacles at once. Writes nothing, and starts nothing. */

import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Keyring } from '../../chain/keys.ts';
import { pathIn, schemeOf } from '../../kernel/ports/technology.ts';
import { likelyMisspelt, problemText, surveyConfiguration } from '../../operations/config/configuration.ts';
import { natsAddress } from '../../operations/config/nats-address.ts';
import type { Values } from '../../operations/config/variables.ts';
import { OTHER_SEED } from '../claim-log.ts';
import { requireServiceFolders } from '../folder-marks.ts';
import { type AccessFiles, serverAccess } from '../server-access.ts';
import {
  databaseFolderOrRefused,
  databasesOf,
  folderOrRefused,
  type Listening,
  listeningOrRefused,
} from '../start-refusals.ts';
import { checkChain } from './check-chain.ts';
import { checkLog, checkReadModelFile, type LogFacts } from './check-log.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSharedReadModels } from './check-shared-read-models.ts';
import { notChecked, type PartReport, reportOn, type ShowProgress } from './obstacle.ts';

export type { PartReport };

export interface StartReport {
  readonly parts: readonly PartReport[];
  /** Whether nothing keeps the service from starting. */
  readonly holds: boolean;
}

/** A PNG of one black pixel. */
const SMALL_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
/** Milliseconds. */
const BUS_PATIENCE = 5_000;

/** `progress` receives how much of the log has been checked. */
export async function checkStart(
  env: NodeJS.ProcessEnv,
  {
    progress = () => undefined,
    isDeep = false,
  }: {
    readonly progress?: ShowProgress;
    /** Reads every event of a log on a server as well. */
    readonly isDeep?: boolean;
  } = {},
): Promise<StartReport> {
  const { values, problems } = surveyConfiguration(env);
  const parts: PartReport[] = [];
  parts.push(
    await reportOn('configuration', async ({ obstacle, remark }) => {
      for (const problem of problems) obstacle(problemText(problem));
      for (const { given, meant } of likelyMisspelt(env))
        remark(`the variable ${given} is unknown and has no effect: is ${meant} meant?`);
    }),
  );

  let log: LogFacts = { isBegun: undefined, begunWith: undefined };
  let keyring: Keyring | undefined;
  const { eventStore, readModel, chain, dataDirectory } = values;
  parts.push(
    eventStore === undefined
      ? notChecked('log', 'EVENT_STORE_URL is wrong')
      : await reportOn('log', async (findings) => {
          log = await checkLog({ ...values, eventStore, isDeep }, env, findings, progress);
        }),
  );
  parts.push(
    await reportOn('secrets', async (findings) => {
      keyring = await checkSecrets({ ...values, isLogBegun: log.isBegun }, findings);
      const begunWith = log.begunWith?.seedFingerprint;
      if (keyring === undefined || begunWith === undefined || keyring.fingerprint === begunWith) return;
      findings.obstacle(OTHER_SEED);
    }),
  );
  parts.push(
    readModel === undefined || eventStore === undefined
      ? notChecked('read models', 'READ_MODEL_URL or EVENT_STORE_URL is wrong')
      : await reportOn('read models', async (findings) => {
          if (schemeOf(readModel.url) === 'sqlite')
            return checkReadModelFile({ readModel }, findings, progress);
          const access = accessToMongoDb(values);
          findings.remark(`${await answeringMongoDb(readModel.url, access)} answers`);
          await checkSharedReadModels({ url: readModel.url, access, env }, log, findings);
        }),
  );
  parts.push(
    chain === undefined || dataDirectory === undefined
      ? notChecked('chain', 'CHAIN_URL or DATA_DIR is wrong')
      : await reportOn('chain', (findings) =>
          checkChain({ ...values, chain, dataDirectory }, { ...log, keyring }, findings),
        ),
  );
  parts.push(
    await checkFiles(values),
    await checkImages(values),
    await checkBus(values),
    await checkAddresses(values),
  );
  return { parts, holds: parts.every(({ outcome }) => outcome === 'holds') };
}

function checkFiles(values: Partial<Values>): Promise<PartReport> {
  return reportOn('files', async ({ attempt, remark }) => {
    const { dataDirectory, imageStore, ledgerStore } = values;
    await attempt(async () => requireServiceFolders(values));
    if (dataDirectory !== undefined) await attempt(() => checkFolder(dataDirectory, 'DATA_DIR'));
    for (const database of databasesOf(values))
      await attempt(() => databaseFolderOrRefused(database, (folder) => checkFolder(folder, database.name)));
    const stores = [
      ['IMAGE_STORE_URL', imageStore],
      ['LEDGER_STORE_URL', ledgerStore],
    ] as const;
    const access = accessToMongoDb(values);
    for (const [name, store] of stores) {
      if (store === undefined) continue;
      if (schemeOf(store.url) === 'file') await attempt(() => checkFolder(pathIn(store.url), name));
      else await attempt(async () => remark(`${name}: ${await answeringMongoDb(store.url, access)} answers`));
    }
  });
}

/** The program that turns uploads into images is compiled: a system may lack what it needs. */
function checkImages({ roles }: Partial<Values>): Promise<PartReport> {
  return reportOn('images', async ({ remark, obstacle }) => {
    if (roles !== undefined && !roles.has('api')) return remark('no uploads are taken: the role is not api');
    const { processImage } = await import('../../server/images/process-image.ts');
    const made = await processImage(SMALL_PICTURE);
    if (made.ok) remark('an upload can be made an image');
    else obstacle(`a picture cannot be made an image: ${made.why}. Install the service anew with \`npm ci\``);
  });
}

function checkBus(values: Partial<Values>): Promise<PartReport> {
  return reportOn('bus', async ({ remark }) => {
    const { publisher } = values;
    if (publisher === undefined) return remark('none: outcomes are told by GET /events');
    const { probeNats } = await import('../../adapters/nats/connection.ts');
    await probeNats({
      address: natsAddress.parse(publisher.url),
      credentialsFile: values.publisherCredentialsFile,
      caFile: values.caFile,
      timeout: BUS_PATIENCE,
    });
    remark('it answers, and has JetStream');
  });
}

function checkAddresses(values: Partial<Values>): Promise<PartReport> {
  return reportOn('addresses', async ({ attempt }) => {
    const { host, port, metrics, chain, localChainPort } = values;
    if (host !== undefined && port !== undefined)
      await attempt(() =>
        checkListening({ what: 'The service', host, port, hostName: 'HOST', portName: 'PORT' }),
      );
    if (metrics !== undefined)
      await attempt(() =>
        checkListening({
          what: 'The listener for metrics',
          ...metrics,
          hostName: 'METRICS_PORT',
          portName: 'METRICS_PORT',
        }),
      );
    if (chain?.isEmbedded && localChainPort !== undefined)
      await attempt(() =>
        checkListening({
          what: 'The embedded chain',
          host: '127.0.0.1',
          port: localChainPort,
          hostName: 'LOCAL_CHAIN_PORT',
          portName: 'LOCAL_CHAIN_PORT',
        }),
      );
  });
}

function accessToMongoDb(values: Partial<Values>): AccessFiles {
  return { credentials: values.mongoDbCredentialsFile, ca: values.caFile };
}

/** Resolves with what to call it. */
async function answeringMongoDb(url: string, files: AccessFiles): Promise<string> {
  const { openMongo } = await import('../../adapters/mongodb/client.ts');
  const mongo = await openMongo({ url, ...(await serverAccess('MongoDB', files)) });
  await mongo.close();
  return mongo.shown;
}

/** The types of procfs and sysfs in Linux (`linux/magic.h`). */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** Rejects with `StartRefused` where the folder, or the one in which it would be made, cannot be written. */
async function checkFolder(folder: string, name: string): Promise<void> {
  await folderOrRefused({ folder, name }, async () => {
    const there = await nearest(folder);
    if (!(await stat(there)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    // The kernel's own file systems say that they can be written, and take no folders.
    if (there !== folder && KERNEL_FILE_SYSTEMS.has((await statfs(there)).type))
      throw Object.assign(new Error('no folders'), { code: 'ENOENT' });
    await access(there, constants.W_OK | constants.X_OK);
  });
}

/** Rejects with `StartRefused` where a start could not listen. */
async function checkListening(where: Listening): Promise<void> {
  // Any free one is taken.
  if (where.port === 0) return;
  await listeningOrRefused(where, async () => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: where.host, port: where.port }, resolve);
    });
    await new Promise((resolve) => server.close(resolve));
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
