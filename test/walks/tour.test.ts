// Walks the tour of docs/tutorial as it stands there, block by block, in each shell that newcomers use; then what how-to guides add to it.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { tellOfSkipping, VENUE_ENVIRONMENT, venueProgramFile } from '../support/launching.ts';
import { operatorEntry } from '../support/operator.ts';
import type { Environment } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { filesBelow } from '../unit/guards/source-files.ts';

const PAGE = 'docs/tutorial/first-token.md';
const SHELLS: readonly (readonly [string, readonly string[]])[] = [
  ['bash', ['--norc', '-euo', 'pipefail']],
  ['zsh', ['-f', '-euo', 'pipefail']],
];
const run = promisify(execFile);

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const shells = SHELLS.filter(([shell]) => isThere(shell));
const hasCurl = isThere('curl');
for (const [shell] of SHELLS) {
  if (!shells.some(([name]) => name === shell)) {
    process.stderr.write(`SKIPPED: the tour in ${shell}, because there is no ${shell} on this machine\n`);
  }
}
if (!hasCurl) process.stderr.write('SKIPPED: the tour, because there is no curl on this machine\n');
tellOfSkipping('the launch in the tour');

interface Fence {
  readonly language: string;
  readonly role: string;
  readonly text: string;
}

function fencesOf(page: string): readonly Fence[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(\S+)(?: (.+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', role = '', text = '']) => ({ language, role, text }),
  );
}

const fences = fencesOf(PAGE);
const blocks = fences.filter(({ language }) => language === 'sh');
const hasVenue = venueProgramFile !== undefined;
/** What is typed in the second terminal, in order. */
const typed = blocks.filter(({ role }) => role === '' || (hasVenue && role === 'with the venue'));

function starts(role: string): string {
  return blocks.find((block) => block.role === role)?.text ?? '';
}

/** As the first block of the tour makes the newcomer an operator. */
const OPERATOR = { OPERATOR_KEYS: operatorEntry('tour', 'only-for-the-tour') };

/** A run waits ten times or so until something is final. */
const FAST: Environment = { LOCAL_CHAIN_SLOT_MS: '20' };

/** Of the how-to guides, what goes on in the shell of the tour. */
const further = filesBelow('docs/how-to', '.md')
  .flatMap(fencesOf)
  .filter(({ role }) => role === 'in the tour');

/** One shell lives through all blocks, as a newcomer's does; each tells its number before it begins. */
async function walk(
  [shell, flags]: (typeof SHELLS)[number],
  service: ServiceProcess,
  blocks: readonly Fence[],
) {
  const script = blocks
    .map(({ text }, index) => `printf '\\n== block ${index}\\n'\n${text}`)
    .join('')
    // A newcomer's patience.
    .replaceAll('sleep 3', 'sleep 0.5')
    .replace('API=http://127.0.0.1:3000', `API=${service.url}`)
    .replace('CHAIN=http://127.0.0.1:8899', `CHAIN=${service.chainUrl}`);
  expect(script).toContain(service.url);
  expect(script).toContain(service.chainUrl);
  const { stdout, stderr } = await run(shell, [...flags, '-c', script], {
    env: { PATH: process.env.PATH, TMPDIR: await folderForTheFile() },
  });
  const outputs = stdout.split(/^== block \d+$/m).slice(1);
  return { stdout, stderr, outputs };
}

function outputOf(outputs: readonly string[], command: string): string {
  const index = typed.findIndex(({ text }) => text.includes(command));
  expect(index, `a block has ${command}`).toBeGreaterThan(-1);
  return outputs[index] ?? '';
}

/** Resolves with what the further blocks print. */
async function expectTour(
  shell: (typeof SHELLS)[number],
  service: ServiceProcess,
  { tokens, further }: { readonly tokens: number; readonly further: readonly Fence[] },
): Promise<readonly string[]> {
  const { stdout, stderr, outputs } = await walk(shell, service, [...typed, ...further]);
  expect(stderr).toBe('');
  expect(outputs).toHaveLength(typed.length + further.length);
  const afterwards = outputs.slice(typed.length);
  expect(stdout).toContain('"transferFeePercent":3.5');
  expect(outputOf(outputs, '/tokens?search=sun')).toContain(`"total":${tokens},`);
  const verified = outputOf(outputs, 'examples/verify-payment.mjs').trim().split('\n');
  expect(verified.at(-1)).toBe('holds');
  expect(verified.join('\n')).toMatch(/got [1-9]\d* lamports in \w+, slot \d+/);
  expect(stdout).toContain('"burnPercent":12.5');
  expect(stdout).toContain('"telegramGroupId":"-1001234567890"');
  expect(outputOf(outputs, '/history')).toContain('"before":{"distributionInterval":"1h"');
  expect(outputOf(outputs, '"$FEE/submit"')).toContain('"pendingTransferFee":{"transferFeePercent":2.25,');
  expect(outputOf(outputs, '"$API/featured"')).toContain('"daysRemaining":3');
  const events = outputOf(outputs, '/events?after=start');
  expect(events.match(/^event: levy\.tokens\.created$/gm)).toHaveLength(tokens);
  expect(events).toContain('event: levy.promotions.started');
  const refusalsSaid = stdout.match(/"code":"\w+"/g) ?? [];
  if (hasVenue) {
    expect(refusalsSaid).toEqual([]);
    expect(stdout).toContain('"launchedAt":"');
    expect(stdout).toContain('"totalTokens":"772000000000000"');
    return afterwards;
  }
  expect(refusalsSaid).toEqual(['"code":"VENUE_UNAVAILABLE"']);
  const shown = JSON.parse(fences.find(({ role }) => role === 'without the venue')?.text ?? '');
  const answer = JSON.parse(outputOf(outputs, 'launch.json"\ncat'));
  expect(answer).toEqual({ ...shown, error: shown.detail, requestId: expect.any(String) });
  return afterwards;
}

describe.skipIf(!hasCurl)('the tour', () => {
  test('can be walked again, in each shell, also after a restart of the service, and goes on with the how-to guides', async () => {
    const first = shells[0];
    const last = shells.at(-1);
    if (first === undefined || last === undefined) throw new Error('there is no shell');
    // As an operator has it, but for how long a slot lasts.
    const environment = { ...VENUE_ENVIRONMENT, ...OPERATOR, NONCE_ACCOUNTS_MIN: '4', ...FAST };
    const service = await startServiceProcess({ ...environment, RATE_LIMITS: 'on' });
    await expectTour(first, service, { tokens: 1, further: [] });
    expect((await service.stop()).code).toBe(0);

    const { folder } = service;
    const again = await startServiceProcess(environment, { folder, constants: { observePauseMs: 50 } });
    const outputs = await expectTour(last, again, { tokens: 2, further });
    const outputWith = (command: string) =>
      outputs[further.findIndex(({ text }) => text.includes(command))] ?? '';
    expect(outputWith('create-token.ts')).toMatch(/^Sunrise \(SUN\) is \w+, created by \w+$/m);
    const answers = outputWith('idempotency-key').trim().split('\n');
    expect(answers).toHaveLength(2);
    expect(answers[0]).toContain('"burnPercent":15');
    expect(answers[1]).toBe(answers[0]);
    expect(outputWith('/events?types=')).toContain('event: levy.tokens.created');
    expect(JSON.parse(outputWith('levyAdvanceEpoch'))).toMatchObject({ result: { epoch: 2 } });
    expect(outputs.join()).not.toContain('"error":');
    expect((await again.stop()).code).toBe(0);
  }, 240_000);

  test('starts the service in ways that it takes', () => {
    const operator = `export OPERATOR_KEYS=${OPERATOR.OPERATOR_KEYS}`;
    expect(starts('service')).toBe(`${operator}\nLOCAL_CHAIN_PORT=8899 npm start\n`);
    const program = `LOCAL_CHAIN_ACCOUNTS=${VENUE_PROGRAM}=venue.so`;
    expect(starts('service with the venue')).toBe(`${program} LOCAL_CHAIN_PORT=8899 npm start\n`);
  });

  test('has no block of another kind', () => {
    const roles = new Set(blocks.map(({ role }) => role));
    expect([...roles].toSorted()).toEqual(['', 'service', 'service with the venue', 'with the venue']);
  });

  test('can be pasted: zsh takes "#" for a command, and both shells take "!" for history', () => {
    for (const { text } of [...blocks, ...further]) {
      expect(text).not.toMatch(/(^|\s)#/m);
      expect(text).not.toContain('!');
    }
  });
});

describe('the wallet of the tour', () => {
  const wallet = (...args: readonly string[]) => run(process.execPath, ['examples/wallet.mjs', ...args]);

  test('keeps the key of an existing file, and says so', async () => {
    const file = `${await folderForTheFile()}/creator.json`;
    const first = await wallet('new', file);
    expect(first.stderr).toBe('');
    const key = await readFile(file, 'utf8');
    const second = await wallet('new', file);
    expect(second).toEqual({ stdout: first.stdout, stderr: `${file} exists: its key is used\n` });
    expect((await wallet('address', file)).stdout).toBe(first.stdout);
    expect(await readFile(file, 'utf8')).toBe(key);
  });

  test('tells a refusal as the service words it', async () => {
    const file = `${await folderForTheFile()}/creator.json`;
    await wallet('new', file);
    const refused = spawnSync(process.execPath, ['examples/wallet.mjs', 'sign-draft', file], {
      input: JSON.stringify({ code: 'INSUFFICIENT_FUNDS', detail: 'It needs more.' }),
      encoding: 'utf8',
    });
    expect([refused.status, refused.stderr]).toEqual([1, 'refused: INSUFFICIENT_FUNDS: It needs more.\n']);
  });
});
