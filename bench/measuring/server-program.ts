/** Servers that are not ours: programs that are started for one benchmark, and end with it whatever happens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { atExit } from './at-exit.ts';
import { processorSecondsOfTree } from './processor-time.ts';

export interface ServerProgram {
  /** Since the start, of all its processes; NaN where the system does not tell. */
  processorSeconds(): number;
  /** Kills it: its data are removed anyway. */
  stop(): Promise<void>;
}

const START_TIMEOUT = 40_000;
const ANSWER_TIMEOUT = 2_000;
const PAUSE = 50;

/** Resolves when `answers` does with true, before its signal is aborted. Rejects if the program ends before, or does not answer in time. */
export async function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  answers: (signal: AbortSignal) => Promise<boolean>,
  place: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ServerProgram> {
  // A group of its own, for a shell may stand between.
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
