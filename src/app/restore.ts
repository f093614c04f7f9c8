/**
 * Restores a backup into the empty data folder of a service. Everything is written and checked in a folder inside it, whose
 * presence keeps a service from starting, and is then moved to its places.
 */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { parseCheckpoint } from 'levy-transparency-log';
import { checkDatabase } from '../adapters/sqlite/check-database.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { pathIn } from '../kernel/ports/technology.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { type Manifest, SECRETS } from '../operations/archive/backup-folder.ts';
import { checkBackup } from '../operations/archive/check-backup.ts';
import { restoreBackup } from '../operations/archive/restore-backup.ts';
import { syncFolder, syncFolders, writeFileDurably } from '../operations/archive/write-backup.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import { markRestored, servedOrigin } from '../proof/transparency/log-files.ts';
import { requireFormat } from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import { openArchiveFiles } from './archive-stores.ts';
import { SECRET_NAMES } from './back-up.ts';
import { chainFileOf } from './open-chain.ts';
import { RESTORED, RESTORING } from './restoring.ts';

export interface RestoreOptions {
  readonly env: NodeJS.ProcessEnv;
  /** A file with the last checkpoint of the transparency log that was published. */
  readonly lastCheckpoint?: string | undefined;
  readonly logger: Logger;
  readonly checking?: (bytes: number, of: number) => void;
  readonly progress?: (bytes: number, of: number) => void;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly missingLedgers: readonly string[];
  readonly dataDirectory: string;
  /** Whether the seed was in the backup and is in its place now. */
  readonly hasSecrets: boolean;
  /** The service is to run on an embedded chain, and the backup has none. */
  readonly lacksChain: boolean;
  /** The transparency log whose notary stops until the operator says how to go on; undefined if none does. */
  readonly stoppedLog: string | undefined;
}

const MOVING = 'moving.json';

export async function restore(folder: string, options: RestoreOptions): Promise<Restored> {
  const configuration = readConfiguration(options.env);
  const places = placesOf(configuration);
  const { lastCheckpoint: file } = options;
  const lastCheckpoint = file === undefined ? undefined : await readCheckpoint(file);
  const { manifest, missingLedgers } = await checkBackup(folder, options.checking);
  const { dataDirectory } = configuration;
  await clearInterrupted(dataDirectory);
  await requireEmpty(dataDirectory);
  const stage = join(dataDirectory, RESTORING);
  await mkdir(stage, { recursive: true, mode: 0o700 });
  let origin: string | undefined;
  try {
    origin = await restoreInto(folder, { manifest, places, stage, configuration, options, lastCheckpoint });
    await putSecrets(folder, { manifest, stage, places });
    await syncFolders(stage);
  } catch (error) {
    await rm(stage, { recursive: true, force: true });
    throw error;
  }
  await moveUp(stage, dataDirectory, places.log);
  return {
    manifest,
    missingLedgers,
    dataDirectory,
    hasSecrets: manifest.secrets.length > 0,
    lacksChain: configuration.chain.isEmbedded && manifest.chain !== 1,
    stoppedLog: lastCheckpoint === undefined ? origin : undefined,
  };
}

interface GivenCheckpoint {
  readonly file: string;
  readonly note: string;
  readonly origin: string;
}

async function readCheckpoint(file: string): Promise<GivenCheckpoint> {
  try {
    const note = await readFile(file, 'utf8');
    return { file, note, origin: parseCheckpoint(note).checkpoint.origin };
  } catch (error) {
    const reason = messageOf(error);
    throw new OperatorError(`"${file}" (--last-checkpoint) is no checkpoint: ${reason}`, { cause: error });
  }
}

interface Places {
  /** Paths in the data folder. */
  readonly log: string;
  readonly images: string;
  readonly ledgers: string;
  readonly chain: string;
  /** By the name under which a backup keeps it. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Everything has to lie in the data folder: only that can be put in place as a whole. */
function placesOf(configuration: Configuration): Places {
  const { dataDirectory, eventStore, imageStore, ledgerStore } = configuration;
  if (!eventStore.isEmbedded) {
    throw new OperatorError(
      'a backup is restored into a log in SQLite: unset EVENT_STORE_URL, restore, and move the log with "levy copy --from sqlite:<DATA_DIR>/levy.db --to esdb://…"',
    );
  }
  const inside = (path: string, name: string) => {
    const place = relative(dataDirectory, path);
    if (place !== '' && !place.startsWith('..') && !isAbsolute(place)) return place;
    throw new OperatorError(
      `${name} names a place outside DATA_DIR ("${dataDirectory}"): unset it, restore, and move what was restored to its place before the service starts`,
    );
  };
  const fileStore = (url: string, name: string) => {
    if (url.toLowerCase().startsWith('file:')) return inside(pathIn(url), name);
    throw new OperatorError(`${name} is no folder: a backup is restored into folders. Unset it and restore`);
  };
  return {
    log: inside(pathIn(eventStore.url), 'EVENT_STORE_URL'),
    images: fileStore(imageStore.url, 'IMAGE_STORE_URL'),
    ledgers: fileStore(ledgerStore.url, 'LEDGER_STORE_URL'),
    chain: relative(dataDirectory, chainFileOf(configuration)),
    secrets: new Map(
      (Object.entries(SECRET_NAMES) as [keyof typeof SECRET_NAMES, string][]).flatMap(([key, name]) => {
        const place = relative(dataDirectory, configuration[key]);
        return place.startsWith('..') || isAbsolute(place) ? [] : [[name, place] as const];
      }),
    ),
  };
}

async function restoreInto(
  folder: string,
  {
    manifest,
    places,
    stage,
    configuration,
    options,
    lastCheckpoint,
  }: {
    readonly manifest: Manifest;
    readonly places: Places;
    readonly stage: string;
    readonly configuration: Configuration;
    readonly options: RestoreOptions;
    readonly lastCheckpoint: GivenCheckpoint | undefined;
  },
): Promise<string | undefined> {
  const url = `sqlite:${join(stage, places.log)}`;
  await mkdir(dirname(join(stage, places.log)), { recursive: true, mode: 0o700 });
  const { openForCopying } = adapterFor('event-store', url);
  if (openForCopying === undefined) throw new Error('logs in SQLite can be written');
  const files = await openArchiveFiles(
    {
      ...configuration,
      imageStore: { ...configuration.imageStore, url: `file:${join(stage, places.images)}` },
      ledgerStore: { ...configuration.ledgerStore, url: `file:${join(stage, places.ledgers)}` },
    },
    options.logger,
  );
  let origin: string | undefined;
  try {
    const log = await openForCopying(
      { url, prefix: configuration.eventStorePrefix, logger: options.logger },
      { areKept: manifest.positions === 'events', sourceHead: Number(manifest.head) },
    );
    try {
      const chain = join(stage, places.chain);
      if (manifest.chain === 1) await mkdir(dirname(chain), { recursive: true, mode: 0o700 });
      await restoreBackup(folder, manifest, { log: log.writer, ...files, chain }, options.progress);
      await requireFormat(log.events());
    } finally {
      await log.close();
    }
    origin = await servedOrigin(files.blobs);
    if (origin !== undefined) {
      if (lastCheckpoint !== undefined && lastCheckpoint.origin !== origin)
        throw new OperatorError(
          `"${lastCheckpoint.file}" (--last-checkpoint) is of the log ${lastCheckpoint.origin}, and the backup has the log ${origin}`,
        );
      await markRestored(files.blobs, origin, {
        takenAt: manifest.takenAt,
        lastCheckpoint: lastCheckpoint?.note ?? null,
      });
    }
  } finally {
    await files.close();
  }
  const { findings } = await checkDatabase(join(stage, places.log));
  // Unreadable events were unreadable before, and are kept unchanged.
  const [first] = findings.filter(
    ({ reason }) => manifest.unreadable === 0 || !reason.includes('is not JSON'),
  );
  if (first !== undefined)
    throw new OperatorError(`the log of "${folder}" is damaged: ${first.reason}. Restore another backup`);
  return origin;
}

async function putSecrets(
  folder: string,
  {
    manifest,
    stage,
    places,
  }: { readonly manifest: Manifest; readonly stage: string; readonly places: Places },
): Promise<void> {
  for (const name of manifest.secrets) {
    const place = places.secrets.get(name);
    if (place === undefined) continue;
    await mkdir(dirname(join(stage, place)), { recursive: true, mode: 0o700 });
    await writeFileDurably(join(stage, place), await readFile(join(folder, SECRETS, name)), 0o600);
  }
}

/** The log last: without it, nothing else counts. */
async function moveUp(stage: string, dataDirectory: string, log: string): Promise<void> {
  const logEntry = log.split('/')[0] ?? log;
  const entries = (await readdir(stage)).sort(
    (one, other) => Number(one === logEntry) - Number(other === logEntry),
  );
  await writeFile(join(stage, MOVING), JSON.stringify(entries), { flush: true });
  for (const entry of entries) await rename(join(stage, entry), join(dataDirectory, entry));
  await syncFolders(dataDirectory);
  // In one step: a folder without its list would say that nothing was moved.
  const left = join(dataDirectory, RESTORED);
  await rename(stage, left);
  await rm(left, { recursive: true });
  await syncFolder(dataDirectory);
}

/** Takes away what a restore that was killed has left, and nothing else. */
async function clearInterrupted(dataDirectory: string): Promise<void> {
  const stage = join(dataDirectory, RESTORING);
  if (!existsSync(stage)) return;
  const moving: unknown = await readFile(join(stage, MOVING), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => []);
  for (const entry of Array.isArray(moving) ? moving : []) {
    if (typeof entry === 'string' && basename(entry) === entry && !existsSync(join(stage, entry)))
      await rm(join(dataDirectory, entry), { recursive: true, force: true });
  }
  await rm(stage, { recursive: true, force: true });
}

async function requireEmpty(dataDirectory: string): Promise<void> {
  const found = await readdir(dataDirectory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  if (found.length === 0) return;
  throw new OperatorError(
    `the data folder "${dataDirectory}" (DATA_DIR) holds ${found[0]}${found.length > 1 ? ' and more' : ''}: a backup is restored into an empty folder alone. Move what is there away, or name another folder`,
  );
}
