/** The command `levy` as an operator runs it: on the log of a running, a stopped and a killed service, and through pipes. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterTheFile, folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { LEVY } from '../support/levy-command.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { printedCommands } from '../support/printed-commands.ts';
import { type Environment, TEST_ENVIRONMENT } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, given: readonly string[], environment: Environment): Promise<Ran> {
  const env = { PATH: process.env.PATH, ...environment };
  return new Promise((resolve) => {
    const child = execFile(program, given, { env, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const levy = (given: readonly string[], environment: Environment = {}) =>
  run(process.execPath, [LEVY, ...given], environment);

/** In a shell in which `levy` is the command, and a pipe fails if a part of it does. */
const inShell = (script: string, environment: Environment = {}) =>
  run('bash', ['--norc', '-c', `set -o pipefail; levy() { "$NODE" "$LEVY" "$@"; }; ${script}`], {
    ...environment,
    NODE: process.execPath,
    LEVY,
  });

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

/** Every file, with its content. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const found = new Map<string, string>();
  for (const name of names) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) found.set(name, (await readFile(path)).toString('base64'));
  }
  return found;
}

/** Of these pages every command is run, but those that need a server or run until they are ended. */
const PAGES = [
  'inspect-the-log',
  'run-preflight-checks',
  'rebuild-and-compare',
  'back-up-and-restore',
  'audit-the-event-log',
  'query-past-state',
  'move-the-log',
];
const PRINTED = PAGES.flatMap((page) =>
  printedCommands(page).map((command) => [page, command] as const),
).filter(([, command]) => !/esdb:/.test(command));
const OF_A_RUNNING_SERVICE = PRINTED.filter(([, command]) => command.includes('--service'));
const OF_A_STOPPED_SERVICE = PRINTED.filter(([, command]) => !command.includes('--service'));

let service: ServiceProcess;
let keyFile: string;
/** Where the commands of the pages are typed. */
let checkout: string;
const dataOf = ({ folder }: ServiceProcess) => ({ ...TEST_ENVIRONMENT, DATA_DIR: folder });

beforeAll(async () => {
  service = await startServiceProcess({ NONCE_ACCOUNTS_MIN: '2' });
  keyFile = join(await folderForTheFile(), 'key');
  await writeFile(keyFile, `${OPERATOR_KEY}\n`, { mode: 0o600 });
  checkout = await folderForTheFile();
  await symlink(service.folder, join(checkout, 'data'));
  for (const name of ['key', 'operator.key']) await copyFile(keyFile, join(checkout, name));
  await (await openCreator(service)).createToken();
  await halt();
});

/** As it is printed, but for what is an example in it. */
function typed(command: string, stream = ''): Promise<Ran> {
  const examples: readonly (readonly [string | RegExp, string])[] = [
    [/https:\/\/levy\.example|http:\/\/127\.0\.0\.1:3000/g, service.url],
    ['https://api.mainnet-beta.solana.com', service.chainUrl],
    [/token-3f2b[0-9a-f-]+/, stream],
    ['/backup/2026-11-22', `${checkout}/backup/$(date +%F)`],
    [' /backup/', ` ${checkout}/backup/`],
    ['--until 2026-11-22T00:00:00Z', '--until 2100-01-01T00:00:00Z'],
  ];
  const script = examples.reduce((text, [example, real]) => text.replace(example, real), command);
  return inShell(`npx() { "$@"; }; cd "$HOME"; ${script}`, { ...dataOf(service), HOME: checkout });
}

/** Something that is recorded. */
async function halt(verb: 'halt' | 'resume' = 'halt'): Promise<void> {
  const json = { reason: `A look at it: ${randomUUID()}.` };
  const client = createClient(service.url);
  await client.ask('POST', `/operator/distributions/${verb}`, { json, operatorKey: OPERATOR_KEY });
}

async function haltAndResume(): Promise<void> {
  await halt();
  await halt('resume');
}

describe('on a running service', () => {
  const over = () => ['--service', service.url, '--operator-key-file', keyFile];

  test('its file is refused, with what to do instead', async () => {
    const { code, stdout, stderr } = await levy(['events'], dataOf(service));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^levy: sqlite:.*levy\.db is in use by a service, .*--service <url>.*\n$/);
  });

  test('the log is read through the service', async () => {
    const { code, stdout, stderr } = await levy(['events', '--json', ...over()]);
    expect([code, stderr]).toEqual([0, '']);
    const events = linesOf(stdout).map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: 'ServiceInitialized', stream: 'service-levy', revision: 0 });
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].sort());
    const some = await levy(['events', ...over(), '--types', 'Service*', '--until', positions[0]]);
    expect(linesOf(some.stdout)).toEqual([
      expect.stringMatching(/^\d{20} {2}20\S+Z {2}service-levy@0 {2}ServiceInitialized {2}\{/),
    ]);
  });

  test('what is recorded is followed until it is interrupted', async () => {
    const child: ChildProcess = spawn(process.execPath, [
      LEVY,
      'events',
      '--follow',
      '--types',
      'All*',
      ...over(),
    ]);
    afterTheFile(async () => void child.kill('SIGKILL'));
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await eventually('it prints what is there', async () => linesOf(text).length > 0);
    const before = linesOf(text).length;
    const client = createClient(service.url);
    await client.ask('POST', '/operator/distributions/resume', {
      json: { reason: 'Looked.' },
      operatorKey: OPERATOR_KEY,
    });
    await eventually('it prints what comes', async () => linesOf(text).length > before);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('on a running service, as the how-to guides print it', () => {
  test.each(OF_A_RUNNING_SERVICE)('%s: %s', async (_page, command) => {
    const { code, stderr } = await typed(command);
    expect(code, stderr).toBe(0);
  });
});

describe('on a stopped service', () => {
  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) await haltAndResume();
    expect((await service.stop()).code).toBe(0);
  });

  test.each(OF_A_STOPPED_SERVICE)('as the how-to guides print it: %s: %s', async (_page, command) => {
    const { code, stderr } = await typed(command, 'distributions-all');
    expect(code, stderr).toBe(0);
  });

  test('its log and its streams are read, and nothing is written', async () => {
    const before = await contentOf(service.folder);
    const events = await levy(['events', '--store', `sqlite:${join(service.folder, 'levy.db')}`, '--json']);
    expect([events.code, events.stderr]).toEqual([0, '']);
    const all = linesOf(events.stdout).map((line) => JSON.parse(line));
    const { stream } = all.find(({ type }) => type === 'AllDistributionsHalted');

    const first = await levy(['show', stream, '--at', '0', '--json'], dataOf(service));
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      stream,
      revision: 0,
      event: { type: 'AllDistributionsHalted' },
      firstRevision: 0,
    });
    const last = await levy(['show', stream], dataOf(service));
    expect(last.stdout).toMatch(/AllDistributionsResumed, 20\S+, by operator:alice, position \d{20}/);
    expect(last.stdout).toMatch(/\n- \(the state\): \{"reason":/);

    const check = await levy(['check'], dataOf(service));
    expect([check.code, check.stderr]).toEqual([0, '']);
    expect(check.stdout).toMatch(/The service can start/);
    expect(check.stdout).toMatch(/^chain +holds: [\d,]* ?.*genesis/m);
    expect(check.stdout).toMatch(/^log +holds:.*every event can be decoded/m);
    expect(await contentOf(service.folder)).toEqual(before);
  });

  test('the past is printed as documents, whose events are those up to then, and nothing is written', async () => {
    const before = await contentOf(service.folder);
    const { stdout } = await levy(['events', '--json'], dataOf(service));
    const events = linesOf(stdout).map((line) => JSON.parse(line));
    const replay = async (until: string, ...names: readonly string[]) => {
      const replayed = await levy(['replay', '--until', until, ...names], dataOf(service));
      expect(replayed.code).toBe(0);
      return linesOf(replayed.stdout).map((line) => JSON.parse(line));
    };
    const at = events.findIndex(({ type }) => type === 'TokenCreated');
    const { data, position } = events[at];
    const token = { collection: 'tokens', key: data.token.tokenId, document: expect.any(Object) };
    expect(await replay(events[at - 1].position, 'tokens')).toEqual([]);
    expect(await replay(position, 'tokens')).toEqual([token]);
    const all = await replay(events.at(-1).position);
    expect(new Set(all.map(({ collection }) => collection)).size).toBeGreaterThan(5);
    const nothing = await levy(['replay', '--until', '2020-01-01'], dataOf(service));
    expect([nothing.code, nothing.stdout]).toEqual([2, '']);
    expect(nothing.stderr).toContain('the log has no event up to 2020-01-01');
    expect(await contentOf(service.folder)).toEqual(before);
  });

  test('it ends quietly when nobody reads on', async () => {
    const { code, stdout, stderr } = await inShell('levy events --json | head -n 2', dataOf(service));
    expect([code, linesOf(stdout).length, stderr]).toEqual([0, 2, '']);
  });

  test('npx runs it in a checkout', async () => {
    const checkout = fileURLToPath(new URL('../..', import.meta.url));
    const npx = promisify(execFile)('npx', ['--no-install', 'levy', '--help'], { cwd: checkout });
    expect((await npx).stdout).toMatch(/Usage: levy/);
  });
});
