/** Third-party servers: programs that are started for one benchmark and always end with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { atExit } from './at-exit.ts';
import { processorSecondsOfTree } from './processor-time.ts';

export interface ServerProgram {
  /** Seconds of all its processes since the start; NaN if the system does not report it. */
  processorSeconds(): number;
  /** Kills the program, because its data are removed anyway. */
  stop(): Promise<void>;
}

const START_TIMEOUT = 40_000;
const ANSWER_TIMEOUT = 2_000;
const PAUSE = 50;

/**
 * Resolves when `answers` resolves with true before its signal is aborted. Rejects if the program ends before, or
 * does not respond in time.
 */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  answers: (signal: AbortSignal) => Promise<boolean>,
  place: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ServerProgram> {
  // A separate process group, because a shell may run between this process and the server.
  const env = { ...process.env, ...place.environment };
  const child = spawn(command, args, { ...place, env, stdio: 'ignore', detached: true });
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const kill = () => {
    if (isRunning(child)) process.kill(-(child.pid ?? 0), 'SIGKILL');
  };
  const killed = atExit(kill);
  const stop = async () => {
    killed();
    if (!isRunning(child)) return;
    const gone = once(child, 'exit');
    kill();
    await gone;
  };
  const giveUpAt = performance.now() + START_TIMEOUT;
  while (!(await answers(AbortSignal.timeout(ANSWER_TIMEOUT)).catch(() => false))) {
    if (failure === undefined && isRunning(child) && performance.now() < giveUpAt) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      continue;
    }
    await stop();
    throw new Error(`${command} cannot be started`, { cause: failure });
  }
  return { processorSeconds: () => processorSecondsOfTree(child.pid ?? 0), stop };
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}
