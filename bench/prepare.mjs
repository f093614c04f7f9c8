/** Prepares the measured build of the service, and the libraries to compare with. */
import { fileURLToPath } from 'node:url';
import { lacksPackages, run } from './own-packages.mjs';

const bench = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

if (lacksPackages(bench)) {
  process.stdout.write(
    'installing the peers; where sqlite3 has no binary, it is compiled for a minute or two\n',
  );
  run('npm', ['ci'], bench);
}
run('npm', ['run', '--silent', 'build'], root);
