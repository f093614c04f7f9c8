/** Folder for files on this machine, and checks of folders that prevent startup. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { blobPaths } from '../adapters/file/blob-store.ts';
import { isFileName, isSha256 } from '../kernel/ports/blob-store.ts';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { BACKUP_INFO, type DataLayout } from '../operations/archive/take-backup.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Values } from '../operations/config/variables.ts';
import { StartRefused } from './start-refusals.ts';

/** File of the log in a data folder, unless EVENT_STORE_URL is set. */
export const LOG_FILE = 'levy.db';

export const dataLayout = {
  chain: 'chain/chain.db',
  blob: (sha256) => `ledgers/${blobPaths.blob(sha256)}`,
  named: (name) => `ledgers/${blobPaths.named(name)}`,
  image: (sha256) => `images/${blobPaths.blob(sha256)}`,
} as const satisfies DataLayout;

/** Keyed by the configuration values that contain the paths. */
export const SECRETS = { masterSeedFile: 'master-seed', jwtKeyFile: 'jwt-key.json' } as const;

const SINGLE_FILES: ReadonlySet<string> = new Set([LOG_FILE, dataLayout.chain, ...Object.values(SECRETS)]);
const NAMED = dataLayout.named('');

/** True for paths that the service writes; other paths must be rejected, because the path is used on the disk. */
export function isDataFile(path: string): boolean {
  if (SINGLE_FILES.has(path)) return true;
  const file = basename(path);
  if (isSha256(file) && [dataLayout.blob(file), dataLayout.image(file)].includes(path)) return true;
  if (!path.startsWith(NAMED)) return false;
  const name = path.slice(NAMED.length).replaceAll('+/', '/');
  return isFileName(name) && dataLayout.named(name) === path;
}

export function chainFileOf({ dataDirectory }: Pick<Configuration, 'dataDirectory'>): string {
  return join(dataDirectory, dataLayout.chain);
}

export function chainFolderOf(configuration: Pick<Configuration, 'dataDirectory'>): string {
  return dirname(chainFileOf(configuration));
}

type StoreValues = Pick<Values, 'dataDirectory' | 'eventStore' | 'readModel' | 'imageStore' | 'ledgerStore'>;

interface LocalStore {
  /** Name in the metrics. */
  readonly name: string;
  readonly variable: string;
  readonly path: string;
  readonly isDatabase: boolean;
  readonly folder: string;
}

/** Stores on this machine; stores on servers have no folder. */
export function localStores(values: StoreValues): readonly LocalStore[] {
  const { eventStore, readModel, imageStore, ledgerStore } = values;
  const stores = [
    ['event-store', 'EVENT_STORE_URL', eventStore],
    ['read-model', 'READ_MODEL_URL', readModel],
    ['images', 'IMAGE_STORE_URL', imageStore],
    ['ledgers', 'LEDGER_STORE_URL', ledgerStore],
  ] as const;
  return stores.flatMap(([name, variable, { url }]) => {
    const path = pathIn(url);
    const isDatabase = schemeOf(url) === 'sqlite';
    if (!isDatabase && schemeOf(url) !== 'file') return [];
    return [{ name, variable, path, isDatabase, folder: isDatabase ? dirname(path) : path }];
  });
}

/** Keyed by the names in the metrics. */
export function foldersOf(values: StoreValues): ReadonlyMap<string, string> {
  const stores = localStores(values).map(({ name, folder }) => [name, folder] as const);
  return new Map([['data', values.dataDirectory], ...stores]);
}

/** Name of the marker file of an interrupted backup or restore. */
export const INCOMPLETE = 'incomplete';
/** File with the SHA-256 of each file of a backup. */
export const SUMS = 'SHA256SUMS';

/** Throws `StartRefused` if one of the folders is incomplete or, unless `isRead`, a backup. */
export function requireServiceFolders(values: StoreValues, { isRead = false } = {}): void {
  for (const folder of markedFolders(values)) {
    if (existsSync(join(folder, INCOMPLETE)))
      throw new StartRefused(
        `"${folder}" is incomplete, because "levy backup" or "levy restore" was interrupted: run the same command again until it succeeds.`,
      );
    if (!isRead && isBackup(folder))
      throw new StartRefused(
        `"${folder}" is a backup, in which no service can run: restore it into an empty folder with "levy restore".`,
      );
  }
}

function markedFolders(values: StoreValues): ReadonlySet<string> {
  // The file stores of a backup are folders within it.
  const above = localStores(values).map(({ folder, isDatabase }) => (isDatabase ? folder : dirname(folder)));
  return new Set([...foldersOf(values).values(), ...above]);
}

/** True even if one of the backup's own files is missing. */
export function isBackup(folder: string): boolean {
  return existsSync(join(folder, BACKUP_INFO)) || existsSync(join(folder, SUMS));
}

type Places = StoreValues & Pick<Values, 'chain' | 'masterSeedFile' | 'jwtKeyFile'>;

/**
 * False for empty folders, which an operator may have prepared, and for empty files. SQLite treats an empty file as a new
 * database, and deletes its write-ahead log.
 */
export function holdsData(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isDirectory() ? readdirSync(path).length > 0 : found.size > 0);
}

/**
 * Throws `StartRefused` if a file-based log is missing but remains of an earlier one exist. A service creates its log first,
 * so other files without a log mean a lost log: a new log would pay, sign and publish again under the same keys and names.
 * Opening the database would already delete its write-ahead log.
 */
export function requireLogIsNotLost(values: Places): void {
  if (!values.eventStore.isEmbedded) return;
  const log = pathIn(values.eventStore.url);
  if (holdsData(log)) return;
  const remains = remainsOf(values, log).filter(holdsData);
  if (remains.length > 0)
    throw new StartRefused(
      `The event log ${log} is missing, but files of a service that had one exist: ${remains.join(', ')}. Restore the log from a backup (docs/how-to/operate/back-up-and-restore.md), or correct EVENT_STORE_URL and DATA_DIR. To start again without the recorded data, move these files away first.`,
    );
}

/** Files that a service without its log would leave. */
function remainsOf(places: Places, log: string): readonly string[] {
  const { chain, dataDirectory, masterSeedFile, jwtKeyFile } = places;
  const others = localStores(places).flatMap(({ path }) => (path === log ? [] : [path]));
  if (!chain.isEmbedded) return [`${log}-wal`, ...others];
  // On another chain, or outside the folder, an operator creates the secrets before the first start.
  const secrets = [masterSeedFile, jwtKeyFile].filter(
    (file) => !relative(dataDirectory, file).startsWith('..'),
  );
  return [`${log}-wal`, ...others, chainFileOf({ dataDirectory }), ...secrets];
}
