/**
 * The service as operators run it: the built process on a separate folder, with its embedded chain or an existing
 * one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { atExit } from './at-exit.ts';
import { childrenOf, processorSecondsOf } from './processor-time.ts';

export interface RunningService {
  readonly url: string;
  readonly chainUrl: string;
  readonly pid: number;
  /**
   * Seconds of processor time of the service and of its own chain since the start; NaN if the system does not report
   * it.
   */
  processorSeconds(): { readonly service: number; readonly chain: number };
  stop(): Promise<void>;
}

/** Milliseconds. A busy machine needs minutes. */
const START_TIMEOUT = 300_000;

/** Build of these sources. */
export const OWN_BUILD = new URL('../../dist/main.js', import.meta.url);

export async function startService(
  folder: string,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  build: URL = OWN_BUILD,
): Promise<RunningService> {
  const child = fork(build, {
    execArgv: [...flags],
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.once(
    'exit',
    atExit(() => child.kill('SIGKILL')),
  );
  const { url, chainUrl } = await addressesOf(child, environment.CHAIN_URL);
  const pid = child.pid ?? 0;
  return {
    url,
    chainUrl,
    pid,
    processorSeconds: () => {
      const [chain = 0] = childrenOf(pid);
      return { service: processorSecondsOf(pid), chain: processorSecondsOf(chain) };
    },
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function addressesOf(
  child: ChildProcess,
  givenChainUrl: string | undefined,
): Promise<{ readonly url: string; readonly chainUrl: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error('the service did not start in time')), START_TIMEOUT);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it listened`)));
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      const url = /^listening on (\S+)$/m.exec(output)?.[1];
      const chainUrl = givenChainUrl ?? /^local chain on (\S+)$/m.exec(output)?.[1];
      if (url === undefined || chainUrl === undefined) return;
      clearTimeout(timer);
      resolve({ url, chainUrl });
    });
  });
}
