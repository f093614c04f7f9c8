/** Runs the command `levy` as an operator does: the built program, on a folder that a service has left. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const LEVY = fileURLToPath(new URL('../../dist/levy.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** On a data folder; killed when the signal comes. */
export async function levy(data: string, args: readonly string[], killed?: AbortSignal): Promise<Ran> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [LEVY, ...args], { env: { PATH, DATA_DIR: data } });
  killed?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (some) => {
    stdout += some;
  });
  child.stderr.on('data', (some) => {
    stderr += some;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
