/** Runs the demo, and lets a test do harm to what it stands on after some of its steps. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { folderForTheFile } from './after-the-file.ts';
import type { Environment } from './service.ts';
import { tryToKill } from './try-to-kill.ts';

const DEMO = fileURLToPath(new URL('../../examples/demo/demo.ts', import.meta.url));
/** After each of these steps something is killed. */
const STEPS = [
  'The wallet signs in',
  'The image is stored',
  'The unsigned transaction',
  'Signed, submitted',
  'Collected: the withheld tax',
  'Burned and sold',
  'The money is put into 2 pots',
];

/**
 * Runs the demo; `trouble` is called after each of the steps, with the demo's own process number. `meanwhile` is called once,
 * and its signal says that the demo has ended.
 */
export async function runDemo(
  environment: Environment,
  trouble?: (demo: number) => Promise<void>,
  meanwhile?: (demo: number, ended: AbortSignal) => Promise<void>,
): Promise<string> {
  const demo = spawn(process.execPath, ['--import', 'tsx', DEMO], {
    env: { PATH: process.env.PATH, DEMO_DIR: await folderForTheFile(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    if (demo.exitCode !== null || demo.pid === undefined) return;
    killAll([demo.pid, ...servicesOf(demo.pid)]);
  });
  const pending = [...STEPS];
  const troubles: Promise<void>[] = [];
  let told = '';
  let complaints = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    while (pending[0] !== undefined && told.includes(pending[0])) {
      pending.shift();
      troubles.push((troubles.at(-1) ?? Promise.resolve()).then(() => trouble?.(demo.pid ?? 0)));
    }
  });
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ending = new AbortController();
  const other = meanwhile?.(demo.pid ?? 0, ending.signal);
  const [code] = (await once(demo, 'close')) as [number | null];
  ending.abort();
  await Promise.all([...troubles, other]);
  expect(pending, told + complaints).toEqual([]);
  expect(code, told + complaints).toBe(0);
  const isHarmed = trouble !== undefined || meanwhile !== undefined;
  expect(complaints.split('\n').filter((line) => !(isHarmed && isWarning(line)))).toEqual(['']);
  return told;
}

/** A service warns of what was taken from it. */
function isWarning(line: string): boolean {
  return line.startsWith('{"level":40,');
}

/** Processes that are the service: one, or none during a restart. */
export function servicesOf(demo: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString();
  return table.split('\n').flatMap((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return Number(parent) === demo && command.join(' ').includes('main.js') ? [Number(pid)] : [];
  });
}

export function killAll(pids: readonly number[]): void {
  // The demo kills its service too.
  for (const pid of pids) tryToKill(pid);
}
