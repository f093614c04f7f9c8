/** Tells which files are not in a backup, and what to do. */
import { fileAt } from '../../operations/archive/backup-parts.ts';

/** Paths as in the manifest of a backup. */
export function damagedFiles(paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    const file = fileAt(path);
    const name = file?.kind === 'image' ? `the image ${file.cid} in the store of images` : ledgerNamed(path);
    return `${name} is damaged: its bytes are not those of its name. It is not in the backup: put it back from an earlier one (docs/how-to/operate/mend-a-damaged-log.md)`;
  });
}

function ledgerNamed(path: string): string {
  return `the ledger file ${path.split('/').at(-1)} in the store of ledgers`;
}
