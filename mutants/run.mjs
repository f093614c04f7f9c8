/**
 * Mutation testing: makes one small change at a time in the named files, and lists the changes that no unit test notices.
 * `npm run mutants -- src/proof/audit/audit-collected.ts`. Installs its packages first if they are missing.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lacksPackages, run } from '../bench/own-packages.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    least: { type: 'string', default: '85' },
    all: { type: 'boolean', default: false },
    // Number of test files per changed file, nearest first. More distant ones take minutes.
    nearest: { type: 'string', default: '40' },
    // Number of mutants to draw. The same seed draws the same mutants.
    sample: { type: 'string' },
    seed: { type: 'string', default: '' },
  },
});
const named = positionals.flatMap(filesOf);
if (named.length === 0)
  fail('name a file or a folder of the sources: npm run mutants -- src/proof/audit/audit-collected.ts');

if (lacksPackages(here)) run('npm', ['ci', '--ignore-scripts'], here);
const { instrument } = await import('./instrument.mjs');
const { removedEntries } = await import('./removed-entries.mjs');
const { relatedTests } = await import('./related-tests.mjs');

const startedAt = Date.now();
const { sources, mutants: possible } = await instrument(root, named);
possible.push(...removedEntries(root, named));
const mutants = values.sample === undefined ? possible : drawn(possible, Number(values.sample));
const related = await relatedTests(root);
const changed = [...new Set(mutants.map(({ path }) => path))];
const most = values.all ? Number.POSITIVE_INFINITY : Number(values.nearest);
const nearest = new Map(changed.map((path) => [path, related(path).slice(0, most)]));
const tests = [...new Set([...nearest.values()].flat())];
const folder = mkdtempSync(join(tmpdir(), 'levy-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const covered = new Set();
const loaded = new Set();
const noticed = new Set();
const broken = new Set();
const done = new Set();
while (tests.length > 0) {
  const stuck = await tryThemAll();
  if (stuck === undefined) break;
  // A mutant that never ends, or that ends the process, counts as noticed.
  noticed.add(stuck);
}
// Mutants of code that runs while a file is loaded need a worker that loads the mutated file.
const atLoad = mutants.filter(({ id, path, source }) => {
  return !noticed.has(id) && (source || loaded.has(id)) && nearest.get(path).length > 0;
});
for (const { id } of atLoad) covered.add(id);
const tried = new Set();
while (tried.size < atLoad.length) {
  const stuck = await tryThemAll(atLoad.filter(({ id }) => !tried.has(id)));
  if (stuck === undefined) break;
  noticed.add(stuck);
}
report();

/**
 * @param atLoad mutants that are active from the start; the tests of each run until one notices it
 * @returns the mutant during which the process stalled or ended; undefined if all were tried
 */
async function tryThemAll(atLoad) {
  const plan = join(folder, 'plan.json');
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const alive = mutants.filter(({ id, source }) => !source && !noticed.has(id)).map(({ id }) => id);
  writeFileSync(
    plan,
    JSON.stringify({
      root,
      tests,
      sources,
      alive,
      done: [...done],
      log,
      loaded: atLoad?.map(({ id, path, source }) => ({ id, source, nearest: nearest.get(path) })),
    }),
  );
  const child = spawn(process.execPath, [join(here, 'in-one-process.mjs')], {
    cwd: root,
    env: { ...process.env, LEVY_MUTANTS_PLAN: plan },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  let code;
  const ended = new Promise((resolve) => {
    child.on('exit', (status, signal) => {
      code = status ?? signal;
      resolve();
    });
  });
  let size = 0;
  let since = Date.now();
  const watch = setInterval(() => {
    const now = statSync(log).size;
    if (now !== size) {
      size = now;
      since = Date.now();
      return;
    }
    const last = lastLine(readFileSync(log, 'utf8'));
    if (last?.try !== undefined && Date.now() - since > 10_000 + 20 * last.usualMs) child.kill('SIGKILL');
  }, 250);
  await ended;
  clearInterval(watch);
  const lines = linesOf(readFileSync(log, 'utf8'));
  for (const line of lines) {
    for (const id of line.covered ?? []) covered.add(id);
    for (const id of line.loaded ?? []) loaded.add(id);
    if (line.noticed !== undefined) noticed.add(line.noticed);
    if (line.broken !== undefined) broken.add(line.broken);
    if (line.try !== undefined && atLoad !== undefined) tried.add(line.try);
    if (line.done !== undefined) done.add(line.done);
  }
  if (code === 0) return undefined;
  const last = lines.at(-1);
  if (last?.try !== undefined) return last.try;
  fail(`the tests ended with ${code}: ${said}`);
}

function report() {
  const say = (line) => process.stdout.write(`${line}\n`);
  for (const { path } of named) {
    const all = mutants.filter((mutant) => mutant.path === path);
    if (all.length === 0) continue;
    const stay = all.filter(({ id }) => !noticed.has(id));
    say(`${path}: ${counted(all.length - stay.length, all.length)}`);
    for (const { id, line, original, replacement } of stay) {
      const unseen = covered.has(id) ? '' : '(no test runs it) ';
      say(`  ${path}:${line} ${unseen}${shown(original)}  ->  ${shown(replacement)}`);
    }
  }
  for (const name of broken) say(`is left out, because it does not pass twice without any change: ${name}`);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  say(`${counted(noticed.size, mutants.length)} by ${tests.length} files of tests in ${seconds} s`);
  if (noticed.size * 100 < mutants.length * Number(values.least)) process.exitCode = 1;
}

/** Orders mutants by a hash of seed and mutant, so that an edit elsewhere barely changes the sample. */
function drawn(from, count) {
  const place = ({ path, original, replacement }) =>
    createHash('sha256').update([values.seed, path, original, replacement].join('\n')).digest('hex');
  const placed = from.map((mutant) => ({ mutant, place: place(mutant) }));
  return placed
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .sort((one, other) => one.line - other.line);
}

function counted(part, all) {
  const percent = all === 0 ? 100 : Math.floor((1000 * part) / all) / 10;
  return `${part} of ${all} changes are noticed (${percent} %)`;
}

function filesOf(argument) {
  const [, path, first, last] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(argument);
  const full = join(root, path);
  if (!existsSync(full)) fail(`there is no ${path}`);
  if (statSync(full).isDirectory()) {
    return readdirSync(full, { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => ({ path: relative(root, join(full, name)) }));
  }
  return [{ path: relative(root, full), ...(first && { lines: [Number(first), Number(last ?? first)] }) }];
}

function linesOf(text) {
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line));
}

function lastLine(text) {
  return linesOf(text).at(-1);
}

function shown(code) {
  return code.length > 100 ? `${code.slice(0, 97)}...` : code;
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
