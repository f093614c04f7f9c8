/** Runs Stryker on the files that are named: `npm run mutants -- src/audit/audit-collected.ts`. Installs it first where it is not. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const paths = process.argv.slice(2).map((path) => relative(root, join(root, path)));
const missing = paths.find((path) => !existsSync(join(root, path.replace(/:[\d-]+$/, ''))));
if (paths.length === 0 || missing !== undefined) {
  process.stderr.write(
    missing === undefined
      ? 'name a file or a folder of the sources: npm run mutants -- src/audit/audit-collected.ts\n'
      : `there is no ${missing}\n`,
  );
  process.exit(2);
}

// npm writes this file last, so it is older than the lockfile unless everything that the lockfile says is there.
if (changedAt(join(here, 'node_modules/.package-lock.json')) < changedAt(join(here, 'package-lock.json')))
  run('npm', ['ci', '--ignore-scripts'], here);

const mutated = paths.map((path) =>
  path.endsWith('.ts') || path.includes('.ts:') ? path : `${path}/**/*.ts`,
);
run(
  'node',
  [
    join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    join(here, 'stryker.config.mjs'),
    '--mutate',
    mutated.join(','),
  ],
  root,
);
