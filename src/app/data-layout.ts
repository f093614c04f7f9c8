/** Where the files of a service are in its data folder, unless the configuration names other places. */
import { basename } from 'node:path';
import { blobPaths } from '../adapters/file/blob-store.ts';
import { isFileName, isSha256 } from '../kernel/ports/blob-store.ts';
import type { DataLayout } from '../operations/archive/take-backup.ts';

/** The log. */
export const LOG_FILE = 'levy.db';

export const dataLayout = {
  chain: 'chain/chain.db',
  blob: (sha256) => `ledgers/${blobPaths.blob(sha256)}`,
  named: (name) => `ledgers/${blobPaths.named(name)}`,
  image: (sha256) => `images/${blobPaths.blob(sha256)}`,
} as const satisfies DataLayout;

/** Keyed by the variables that name them. */
export const SECRETS = { masterSeedFile: 'master-seed', jwtKeyFile: 'jwt-key.json' } as const;

const SINGLE_FILES: ReadonlySet<string> = new Set([LOG_FILE, dataLayout.chain, ...Object.values(SECRETS)]);
const NAMED = dataLayout.named('');

/** Refuses every other path, whoever names it: it becomes a path on the disk. */
export function isDataFile(path: string): boolean {
  if (SINGLE_FILES.has(path)) return true;
  const file = basename(path);
  if (isSha256(file) && [dataLayout.blob(file), dataLayout.image(file)].includes(path)) return true;
  if (!path.startsWith(NAMED)) return false;
  const name = path.slice(NAMED.length).replaceAll('+/', '/');
  return isFileName(name) && dataLayout.named(name) === path;
}
