/** For folders that have packages of their own, which an installation of the service does not bring along. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Ends this process where the command fails. */
export function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether the folder lacks any of what its lockfile says. */
export function lacksPackages(folder) {
  // npm writes this file last, so it is older than the lockfile unless everything that the lockfile says is there.
  return (
    changedAt(join(folder, 'node_modules/.package-lock.json')) < changedAt(join(folder, 'package-lock.json'))
  );
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
