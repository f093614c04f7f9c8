/**
 * Tells a lost log from a first start. A service makes its log before anything else, so files of a service without one are
 * what is left of it: a new log beside them would pay, sign and publish again under the same keys and names.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { Values } from '../operations/config/variables.ts';
import { StartRefused } from './claim-log.ts';
import { fileFolders } from './data-folders.ts';
import { chainFileOf } from './open-chain.ts';

type Places = Partial<
  Pick<
    Values,
    | 'eventStore'
    | 'readModel'
    | 'chain'
    | 'dataDirectory'
    | 'ledgerStore'
    | 'imageStore'
    | 'masterSeedFile'
    | 'jwtKeyFile'
  >
>;

/** SQLite takes an empty file for a new database, and deletes the write-ahead log beside it. */
function holdsLog(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

export const DISK = { holdsLog, holdsSomething };

/** Why a log in a file must not be begun; undefined if it is there, or nothing of an earlier one is. */
export function lostLog(places: Places, { holdsLog, holdsSomething } = DISK): string | undefined {
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

/** What a service without its log would leave, by its places. */
function remainsOf(
  { readModel, chain, dataDirectory, ledgerStore, imageStore, masterSeedFile, jwtKeyFile }: Places,
  log: string,
): readonly string[] {
  const found = [`${log}-wal`, ...fileFolders({ imageStore, ledgerStore }).values()];
  if (readModel !== undefined && schemeOf(readModel.url) === 'sqlite') found.push(pathIn(readModel.url));
  if (chain?.isEmbedded && dataDirectory !== undefined) {
    found.push(chainFileOf({ dataDirectory }));
    // On another chain an operator makes both before the first start.
    for (const secret of [masterSeedFile, jwtKeyFile]) {
      if (secret !== undefined && isBelow(dataDirectory, secret)) found.push(secret);
    }
  }
  return found;
}

function holdsSomething(path: string): boolean {
  if (!existsSync(path)) return false;
  return !statSync(path).isDirectory() || readdirSync(path).length > 0;
}

function isBelow(folder: string, file: string): boolean {
  const inside = relative(folder, file);
  return !inside.startsWith('..') && inside === join(inside);
}
