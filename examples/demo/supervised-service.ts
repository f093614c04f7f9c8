/** Runs the service like a supervisor: restarts it on the same addresses and files whenever it fails. */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT = 60_000;

export interface SupervisedService {
  readonly url: string;
  readonly chainUrl: string;
  /** Sends SIGKILL, which ends the service immediately. */
  kill(): void;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

interface Running {
  readonly url: string;
  readonly chainUrl: string;
  readonly process: ChildProcess;
}

/**
 * `ended` is called after an unexpected exit, before the restart. Rejects if the first start exits with a code: then
 * the service has printed a configuration error.
 */
export async function superviseService(
  environment: NodeJS.ProcessEnv,
  ended: (how: string) => void,
): Promise<SupervisedService> {
  let running = await startFirst(environment, ended);
  const { url, chainUrl } = running;
  const same = { ...environment, PORT: new URL(url).port, LOCAL_CHAIN_PORT: new URL(chainUrl).port };
  let stopping = false;
  let restarting: Promise<void> | undefined;

  function watch(service: Running): void {
    running = service;
    service.process.once('exit', (code, signal) => {
      // With code 0 the service stopped as requested, for example by Ctrl-C.
      if (stopping || code === 0) return;
      ended(signal ?? `code ${code}`);
      restarting = startAgain();
    });
  }

  async function startAgain(): Promise<void> {
    while (!stopping) {
      try {
        watch(await start(same));
        return;
      } catch {
        // The service may have exited because a dependency is unavailable.
        await sleep(500);
      }
    }
  }

  watch(running);
  return {
    url,
    chainUrl,
    kill() {
      running.process.kill('SIGKILL');
    },
    async stop() {
      stopping = true;
      await restarting;
      const { process } = running;
      if (process.exitCode !== null || process.signalCode !== null) return process.exitCode;
      const exit = new Promise<number | null>((resolve) => process.once('exit', (code) => resolve(code)));
      process.kill('SIGTERM');
      return exit;
    },
  };
}

class EndedBeforeListening extends Error {
  readonly signal: NodeJS.Signals | null;

  constructor(code: number | null, signal: NodeJS.Signals | null) {
    super(`the service ended with ${signal ?? `code ${code}`} before it listened`);
    this.signal = signal;
  }
}

async function startFirst(environment: NodeJS.ProcessEnv, ended: (how: string) => void): Promise<Running> {
  for (;;) {
    try {
      return await start(environment);
    } catch (error) {
      if (!(error instanceof EndedBeforeListening) || error.signal === null) throw error;
      ended(error.signal);
    }
  }
}

function start(environment: NodeJS.ProcessEnv): Promise<Running> {
  const child = fork(new URL('../../dist/main.js', import.meta.url), {
    // The service runs compiled, without the loader that runs the demo.
    execArgv: [],
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('the service has no output');
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('the service did not start in time'));
    }, START_TIMEOUT);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new EndedBeforeListening(code, signal));
    });
    stdout.on('data', (chunk) => {
      output += String(chunk);
      const url = /^listening on (\S+)$/m.exec(output)?.[1];
      const chainUrl = /^local chain on (\S+)$/m.exec(output)?.[1];
      if (url === undefined || chainUrl === undefined) return;
      clearTimeout(timer);
      resolve({ url, chainUrl, process: child });
    });
  });
}
