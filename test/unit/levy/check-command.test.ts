// What `levy check` shows: a line for each part, its obstacles below, how many there are, and the commands that take some away.
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { StartReport } from '../../../src/app/check-start.ts';
import { checkCommand, reportLines } from '../../../src/levy/check-command.ts';
import { createTerminal } from '../../../src/levy/terminal.ts';

const HOLDS = {
  part: 'log',
  outcome: 'holds',
  remarks: ['3 events', 'it ends here'],
  obstacles: [],
} as const;
const PLAIN = { part: 'configuration', outcome: 'holds', remarks: [], obstacles: [] } as const;
const MISSING = {
  part: 'secrets',
  outcome: 'obstacles',
  remarks: [],
  obstacles: [
    { problem: 'there is no seed', command: 'openssl rand -hex 32' },
    { problem: 'there is no key' },
  ],
} as const;

test('where nothing is found, it says that the service can start', () => {
  expect(reportLines({ parts: [PLAIN, HOLDS], holds: true })).toEqual([
    'configuration  holds',
    'log            holds: 3 events; it ends here',
    '',
    'Nothing keeps the service from starting.',
  ]);
});

test('obstacles stand below their part, and are counted; commands that help stand at the end', () => {
  expect(reportLines({ parts: [HOLDS, MISSING], holds: false })).toEqual([
    'log      holds: 3 events; it ends here',
    'secrets  obstacles',
    '  - there is no seed',
    '  - there is no key',
    '',
    '2 obstacles keep the service from starting.',
    '',
    'What is missing is made by:',
    '  openssl rand -hex 32',
  ]);
});

test('one obstacle is one, and without a command none is announced', () => {
  const one = { ...MISSING, obstacles: [{ problem: 'there is no key' }] };
  expect(reportLines({ parts: [one], holds: false })).toEqual([
    'secrets  obstacles',
    '  - there is no key',
    '',
    'One obstacle keeps the service from starting.',
  ]);
});

describe('the command', () => {
  async function ran(report: StartReport, { json = false, args = [] as readonly string[] } = {}) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const streams = { stdout, stderr } as unknown as Parameters<typeof createTerminal>[0];
    const terminal = createTerminal(streams, () => json);
    const asked: unknown[] = [];
    const command = checkCommand(terminal, async (env, { isDeep } = {}) => {
      asked.push(env === process.env, isDeep);
      return report;
    });
    await command.parseAsync(args, { from: 'user' });
    return { printed: String(stdout.read()), exitCode: terminal.exitCode, asked };
  }
  const HELD: StartReport = { parts: [HOLDS], holds: true };
  const NOT_HELD: StartReport = { parts: [HOLDS, MISSING], holds: false };

  test('ends with 0 where the service can start, and with 1 where something keeps it from it', async () => {
    expect(await ran(HELD)).toMatchObject({ printed: `${reportLines(HELD).join('\n')}\n`, exitCode: 0 });
    expect(await ran(NOT_HELD)).toMatchObject({
      printed: `${reportLines(NOT_HELD).join('\n')}\n`,
      exitCode: 1,
    });
  });

  test('prints the whole report for programs with --json', async () => {
    const { printed, exitCode } = await ran(NOT_HELD, { json: true });
    expect([JSON.parse(printed), exitCode]).toEqual([NOT_HELD, 1]);
  });

  test('checks the environment that it runs in, and decodes events of a server with --deep alone', async () => {
    expect((await ran(HELD)).asked).toEqual([true, false]);
    expect((await ran(HELD, { args: ['--deep'] })).asked).toEqual([true, true]);
  });
});
