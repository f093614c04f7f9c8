/** Runs Stryker on the files that are named: `npm run mutants -- src/proof/audit/audit-collected.ts`. Installs it first where it is not. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lacksPackages, run } from '../bench/own-packages.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

const paths = process.argv.slice(2).map((path) => relative(root, join(root, path)));
const missing = paths.find((path) => !existsSync(join(root, path.replace(/:[\d-]+$/, ''))));
if (paths.length === 0 || missing !== undefined) {
  process.stderr.write(
    missing === undefined
      ? 'name a file or a folder of the sources: npm run mutants -- src/proof/audit/audit-collected.ts\n'
      : `there is no ${missing}\n`,
  );
  process.exit(2);
}

if (lacksPackages(here)) run('npm', ['ci', '--ignore-scripts'], here);

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
