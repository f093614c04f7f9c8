/** Where the service stores files on this machine, and which folders keep it from starting. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { blobPaths } from '../adapters/file/blob-store.ts';
import { isFileName, isSha256 } from '../kernel/ports/blob-store.ts';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import { BACKUP_INFO, type DataLayout } from '../operations/archive/take-backup.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Values } from '../operations/config/variables.ts';
import { StartRefused } from './start-refusals.ts';

/** The log in a data folder, unless EVENT_STORE_URL names another place. */
export const LOG_FILE = 'levy.db';

/** Paths in a data folder. */
export const dataLayout = {
  chain: 'chain/chain.db',
  blob: (sha256) => `ledgers/${blobPaths.blob(sha256)}`,
  named: (name) => `ledgers/${blobPaths.named(name)}`,
  image: (sha256) => `images/${blobPaths.blob(sha256)}`,
} as const satisfies DataLayout;

/** Keyed by the values that name them. */
export const SECRETS = { masterSeedFile: 'master-seed', jwtKeyFile: 'jwt-key.json' } as const;

const SINGLE_FILES: ReadonlySet<string> = new Set([LOG_FILE, dataLayout.chain, ...Object.values(SECRETS)]);
const NAMED = dataLayout.named('');

/** Refuses every other path: it becomes a path on the disk. */
export function isDataFile(path: string): boolean {
  if (SINGLE_FILES.has(path)) return true;
  const file = basename(path);
  if (isSha256(file) && [dataLayout.blob(file), dataLayout.image(file)].includes(path)) return true;
  if (!path.startsWith(NAMED)) return false;
  const name = path.slice(NAMED.length).replaceAll('+/', '/');
  return isFileName(name) && dataLayout.named(name) === path;
}

/** The file of the embedded chain. */
export function chainFileOf({ dataDirectory }: Pick<Configuration, 'dataDirectory'>): string {
  return join(dataDirectory, dataLayout.chain);
}

export function chainFolderOf(configuration: Pick<Configuration, 'dataDirectory'>): string {
  return dirname(chainFileOf(configuration));
}

type StoreValues = Partial<
  Pick<Values, 'dataDirectory' | 'eventStore' | 'readModel' | 'imageStore' | 'ledgerStore'>
>;

interface LocalStore {
  /** Its name in the metrics. */
  readonly name: string;
  readonly variable: string;
  readonly path: string;
  readonly isDatabase: boolean;
  readonly folder: string;
}

/** The stores that are on this machine; stores on servers have no folder. */
export function localStores(values: StoreValues): readonly LocalStore[] {
  const { eventStore, readModel, imageStore, ledgerStore } = values;
  const stores = [
    ['event-store', 'EVENT_STORE_URL', eventStore],
    ['read-model', 'READ_MODEL_URL', readModel],
    ['images', 'IMAGE_STORE_URL', imageStore],
    ['ledgers', 'LEDGER_STORE_URL', ledgerStore],
  ] as const;
  return stores.flatMap(([name, variable, address]) => {
    const scheme = address && schemeOf(address.url);
    if (address === undefined || (scheme !== 'sqlite' && scheme !== 'file')) return [];
    const path = pathIn(address.url);
    const isDatabase = scheme === 'sqlite';
    return [{ name, variable, path, isDatabase, folder: isDatabase ? dirname(path) : path }];
  });
}

/** Keys are the names in the metrics. */
export function foldersOf(values: StoreValues): ReadonlyMap<string, string> {
  const stores = localStores(values).map(({ name, folder }) => [name, folder] as const);
  return new Map([
    ...(values.dataDirectory === undefined ? [] : [['data', values.dataDirectory] as const]),
    ...stores,
  ]);
}

/** The mark of what an interrupted backup or restore left. */
export const INCOMPLETE = 'incomplete';
/** The SHA-256 of each file of a backup. */
export const SUMS = 'SHA256SUMS';

/** Throws `StartRefused` if the service would work in a backup or in an incomplete folder. */
export function requireServiceFolders(values: StoreValues): void {
  requireComplete(values);
  for (const folder of markedFolders(values))
    if (isBackup(folder))
      throw new StartRefused(
        `"${folder}" is a backup, and no service starts in one: put it into an empty folder with "levy restore".`,
      );
}

/** Throws `StartRefused` if one of the folders is incomplete. */
export function requireComplete(values: StoreValues): void {
  for (const folder of markedFolders(values))
    if (existsSync(join(folder, INCOMPLETE)))
      throw new StartRefused(
        `"${folder}" is incomplete, because "levy backup" or "levy restore" was interrupted: run the same command again until it says that it is done.`,
      );
}

function markedFolders(values: StoreValues): ReadonlySet<string> {
  // The stores of files of a backup are folders in it.
  const above = localStores(values).map(({ folder, isDatabase }) => (isDatabase ? folder : dirname(folder)));
  return new Set([...foldersOf(values).values(), ...above]);
}

/** Also if one of its own files is missing. */
export function isBackup(folder: string): boolean {
  return existsSync(join(folder, BACKUP_INFO)) || existsSync(join(folder, SUMS));
}

type Places = StoreValues & Partial<Pick<Values, 'chain' | 'masterSeedFile' | 'jwtKeyFile'>>;

/** SQLite takes an empty file for a new database, and deletes the write-ahead log beside it. */
export function holdsLog(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

/**
 * Why a log in a file must not be begun; undefined if it exists, or nothing of an earlier one does. A service creates its log
 * first, so files without one are what is left of a lost log: a new log beside them would pay, sign and publish again under
 * the same keys and names.
 */
export function lostLog(places: Places): string | undefined {
  const { eventStore } = places;
  if (eventStore === undefined || !eventStore.isEmbedded) return undefined;
  const log = pathIn(eventStore.url);
  if (holdsLog(log)) return undefined;
  const remains = remainsOf(places, log).filter(holdsSomething);
  if (remains.length === 0) return undefined;
  return `There is no event log ${log}, but files of a service that had one: ${remains.join(', ')}. Put back the log from a backup (docs/how-to/operate/back-up-and-restore.md), or correct EVENT_STORE_URL and DATA_DIR. To begin anew and give up what the log recorded, move these files away first.`;
}

/** Throws `StartRefused` where the log is lost. Opening the database would already delete its write-ahead log. */
export function requireLogIsNotLost(configuration: Configuration): void {
  const reason = lostLog(configuration);
  if (reason !== undefined) throw new StartRefused(reason);
}

/** The files that a service without its log would leave. */
function remainsOf(places: Places, log: string): readonly string[] {
  const { chain, dataDirectory, masterSeedFile, jwtKeyFile } = places;
  const others = localStores(places).filter(({ path }) => path !== log);
  const found = [`${log}-wal`, ...others.map(({ path }) => path)];
  if (chain?.isEmbedded && dataDirectory !== undefined) {
    found.push(chainFileOf({ dataDirectory }));
    // On another chain an operator makes both before the first start.
    for (const secret of [masterSeedFile, jwtKeyFile])
      if (secret !== undefined && !relative(dataDirectory, secret).startsWith('..')) found.push(secret);
  }
  return found;
}

function holdsSomething(path: string): boolean {
  if (!existsSync(path)) return false;
  return !statSync(path).isDirectory() || readdirSync(path).length > 0;
}
