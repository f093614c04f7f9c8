/** Marks of folders in which no service may start: backups, and what an interrupted backup or restore left. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BACKUP_INFO } from '../operations/archive/take-backup.ts';
import { StartRefused } from './claim-log.ts';
import { fileFolders, foldersOf, type StorePlaces } from './data-folders.ts';

export const INCOMPLETE = 'incomplete';
/** The SHA-256 of each file of a backup. */
export const SUMS = 'SHA256SUMS';

/** Throws `StartRefused` if the service would work in a backup or in an incomplete folder. */
export function requireServiceFolders(places: StorePlaces): void {
  requireComplete(places);
  for (const folder of foldersOfAll(places))
    if (isBackup(folder))
      throw new StartRefused(
        `"${folder}" is a backup, and no service starts in one: put it into an empty folder with "levy restore".`,
      );
}

/** Throws `StartRefused` if one of the folders is incomplete. */
export function requireComplete(places: StorePlaces): void {
  for (const folder of foldersOfAll(places))
    if (existsSync(join(folder, INCOMPLETE)))
      throw new StartRefused(
        `"${folder}" is incomplete, because "levy backup" or "levy restore" was interrupted: run the same command again until it says that it is done.`,
      );
}

function foldersOfAll(places: StorePlaces): ReadonlySet<string> {
  // The stores of files of a backup are folders in it.
  const above = [...fileFolders(places).values()].map((folder) => dirname(folder));
  return new Set([...foldersOf(places).values(), ...above]);
}

/** Also if one of its own files is missing. */
export function isBackup(folder: string): boolean {
  return existsSync(join(folder, BACKUP_INFO)) || existsSync(join(folder, SUMS));
}
