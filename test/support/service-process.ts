/** Runs the service as an operator does: `node dist/main.js` with an environment, stopped by signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Constants } from '../../src/operations/config/constants.ts';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { type Environment, TEST_ENVIRONMENT } from './service.ts';
import { serviceProgram } from './service-programs.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_TIMEOUT = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly url: string;
  /** Address of the service's own chain, or of the one that it was given. */
  readonly chainUrl: string;
  readonly folder: string;
  readonly child: ChildProcess;
  /** Resolves when the process has ended, however that comes about. */
  readonly ended: Promise<Ended>;
  /** Sends the signal (SIGTERM unless given) and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** It neither listened nor ended. */
export class DidNotListen extends Error {
  constructor(written: string) {
    super(`the service did not listen in time: ${written}`);
  }
}

/**
 * Resolves when the service listens; rejects with what it wrote if it ends before. Killed after the tests of the file.
 * `program` is what node runs, if not the service as it is; `constants` are those that differ from its own, which a given program has to
 * read; `began` gets the process at once, for tests that kill it early.
 */
export async function startServiceProcess(
  environment: Environment = {},
  options: {
    readonly folder?: string;
    readonly program?: readonly string[];
    readonly constants?: Partial<Constants>;
    readonly began?: (child: ChildProcess) => void;
  } = {},
): Promise<ServiceProcess> {
  const folder = options.folder ?? (await folderForTheFile());
  const { constants } = options;
  const { child, ended, output } =
    constants === undefined
      ? run(environment, folder, options.program)
      : run(
          { ...environment, TEST_CONSTANTS: JSON.stringify(constants, bigintsAsText) },
          folder,
          options.program ?? serviceProgram('constants-main'),
        );
  options.began?.(child);
  const addresses = await new Promise<{ url: string; chainUrl: string }>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DidNotListen(output.stderr));
      child.kill('SIGKILL');
    }, START_TIMEOUT).unref();
    const look = () => {
      const url = /^listening on (http:\S+)$/m.exec(output.stdout)?.[1];
      const chainUrl = environment.CHAIN_URL ?? /^local chain on (http:\S+)$/m.exec(output.stdout)?.[1];
      if (url === undefined || chainUrl === undefined) return;
      clearTimeout(timer);
      resolve({ url, chainUrl });
    };
    child.stdout?.on('data', look);
    ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${code}: ${stderr}`)));
  });
  return {
    ...addresses,
    folder,
    child,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** For a start that must fail: resolves when the process has ended. */
export async function endOfServiceProcess(
  environment: Environment,
  options: { readonly folder?: string } = {},
): Promise<Ended> {
  return run(environment, options.folder ?? (await folderForTheFile())).ended;
}

function bigintsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function run(environment: Environment, folder: string, program: readonly string[] = [MAIN]) {
  const child = spawn(process.execPath, program, {
    // Nothing of the test's own environment: a variable set there would change what is tested.
    env: { PATH: process.env.PATH, ...TEST_ENVIRONMENT, DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  afterTheFile(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, output };
}
