/** For folders whose packages are not part of the service's installation. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Ends this process if the command fails. */
export function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** True if a package of the lockfile is missing in the folder. */
export function lacksPackages(folder) {
  // npm writes this file last. If it is older than the lockfile, the installation is incomplete or outdated.
  return (
    changedAt(join(folder, 'node_modules/.package-lock.json')) < changedAt(join(folder, 'package-lock.json'))
  );
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
