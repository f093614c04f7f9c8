/** Runs the command `levy` as an operator does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { LEVY } from './levy-command.ts';
import type { Environment } from './service.ts';

export interface LevyRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `began` gets the process, for tests that kill it. */
export function runLevy(
  args: readonly string[],
  environment: Environment = {},
  began: (child: ChildProcess) => void = () => undefined,
): Promise<LevyRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LEVY, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
    began(child);
  });
}
