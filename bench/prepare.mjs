/** Makes ready what is measured and what it is compared with: the service's build, and the peers of this folder. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

// npm writes this file last, so it is older than the lockfile unless everything that the lockfile says is there.
if (changedAt(`${bench}node_modules/.package-lock.json`) < changedAt(`${bench}package-lock.json`)) {
  process.stdout.write(
    'installing the peers; where sqlite3 has no binary, it is compiled for a minute or two\n',
  );
  run('npm', ['ci'], bench);
}
run('npm', ['run', '--silent', 'build'], root);
