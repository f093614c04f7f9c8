/**
 * Local chain: a child process that serves Solana's JSON-RPC on loopback, and is restarted when it exits (its virtual
 * machine can abort the process). Every write is on disk before its response.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { OptionNames } from './chain.ts';
import {
  type ChildArguments,
  type ChildMessage,
  isChildMessage,
  type ParentMessage,
} from './child-messages.ts';
import { copyLedger, LEDGER_FILE, LedgerInUse } from './ledger.ts';
import type { ProgramFile } from './program-files.ts';

export interface LocalChainOptions {
  /** Created if missing. Only one process at a time may have it open. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; 0 or absent selects a free port, which restarts reuse. */
  readonly port?: number;
  /** Slot length; 250 by default. */
  readonly slotMilliseconds?: number;
  /** Support of durable nonces; true by default. `false`: like a cluster without them (SIMD-0723). */
  readonly nonces?: boolean;
  /** Loaded whenever the process starts, and never stored. */
  readonly programs?: readonly ProgramFile[];
  /**
   * Files in the format of `solana account --output json`; each account is loaded once, unless the chain has one at its
   * address.
   */
  readonly accountFiles?: readonly string[];
  /** User's names for the two options above, for error messages. */
  readonly optionNames?: OptionNames;
  /** Called when the process exits, restarts or reports a problem. */
  readonly log?: (message: string) => void;
}

export interface LocalChainStatus {
  readonly up: boolean;
  /** Id of the running process. */
  readonly pid?: number;
  /** Number of restarts of the process. */
  readonly restarts: number;
  /** Reason of the last exit; absent if the process never exited. */
  readonly lastExit?: string;
}

export interface LocalChain {
  /** `http://127.0.0.1:port`; constant while the chain is open. */
  readonly url: string;
  status(): LocalChainStatus;
  /**
   * Copies all data into a new file, as of one point in time; calls are paused during the copy. In its own folder,
   * under the name `chain.db`, the file is the same chain. Rejects with `LocalChainUnavailable`.
   *
   * `atThatMoment` runs while the chain is paused and not copied yet, so no caller has seen more of the chain than the
   * copy contains. It must not call the chain. If it rejects, nothing is copied and this rejects too.
   */
  copyTo(target: string, atThatMoment?: () => Promise<void>): Promise<void>;
  /** Ends the process after all data are on disk. */
  close(): Promise<void>;
}

const MIN_BACKOFF_MILLISECONDS = 50;
const MAX_BACKOFF_MILLISECONDS = 5_000;
/** Milliseconds; a process that ran this long before it exited is restarted after the shortest pause. */
const HEALTHY_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 5_000;
/** Maximum number of starts of a process that is killed before its first response. */
const MAX_STARTS = 5;

/** Caller that waits for the first listening process. */
interface FirstStart {
  listening(port: number): void;
  failed(reason: string): void;
}

/** Thrown if the chain cannot be opened; the message contains the reason. */
export class LocalChainUnavailable extends Error {}

/**
 * Starts the chain and resolves when it responds.
 * @throws LocalChainUnavailable if it cannot start, for example because another process has the folder open.
 */
export async function openLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const supervisor = new Supervisor(options);
  const port = await supervisor.start();
  return {
    url: `http://127.0.0.1:${port}`,
    status: () => supervisor.status(),
    copyTo: (target, atThatMoment) => supervisor.copyTo(target, atThatMoment),
    close: () => supervisor.close(),
  };
}

/** Variant of `copyTo` for a chain that no process has open. @throws LocalChainUnavailable */
export function copyStoppedChain(dataDir: string, target: string): void {
  try {
    copyLedger(join(dataDir, LEDGER_FILE), target);
  } catch (error) {
    if (!(error instanceof LedgerInUse)) throw error;
    throw new LocalChainUnavailable(`the local chain's data folder ${dataDir} is in use by another process`);
  }
}

class Supervisor {
  readonly #options: LocalChainOptions;
  readonly #log: (message: string) => void;
  #child: ChildProcess | undefined;
  #port: number;
  #up = false;
  #restarts = 0;
  #lastExit: string | undefined;
  #closing = false;
  #backoff = MIN_BACKOFF_MILLISECONDS;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LocalChainOptions) {
    this.#options = options;
    this.#port = options.port ?? 0;
    this.#log = options.log ?? (() => {});
  }

  status(): LocalChainStatus {
    const pid = this.#child?.pid;
    return {
      up: this.#up,
      restarts: this.#restarts,
      ...(pid !== undefined && { pid }),
      ...(this.#lastExit !== undefined && { lastExit: this.#lastExit }),
    };
  }

  /** Resolves with the port when the first process listens. */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#spawn({
        listening: resolve,
        failed: (reason) => reject(new LocalChainUnavailable(reason)),
      });
    });
  }

  async copyTo(to: string, atThatMoment?: () => Promise<void>): Promise<void> {
    const child = this.#child;
    if (child?.connected !== true) throw notCopied('its process is not running');
    const target = resolve(to);
    await ask(child, { kind: 'hold' }, (told) => told.kind === 'held');
    try {
      await atThatMoment?.();
      await ask(child, { kind: 'copy', target }, (told) => {
        if (told.kind !== 'copied' || told.target !== target) return false;
        if (told.reason !== undefined) throw notCopied(told.reason);
        return true;
      });
    } finally {
      // An exited process has no holds.
      if (child.connected) child.send({ kind: 'release' } satisfies ParentMessage, () => {});
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (child.connected) child.send({ kind: 'stop' } satisfies ParentMessage, () => {});
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(forced);
  }

  #spawn(first?: FirstStart): void {
    const {
      dataDir,
      slotMilliseconds = 250,
      nonces = true,
      programs = [],
      accountFiles = [],
    } = this.#options;
    const { optionNames = { programs: 'programs', accountFiles: 'accountFiles' } } = this.#options;
    const startedAt = Date.now();
    const entry = new URL(`./chain-process${extname(import.meta.url)}`, import.meta.url);
    const given: ChildArguments = {
      dataDir,
      port: this.#port,
      slotMilliseconds,
      nonces,
      programs,
      accountFiles,
      optionNames,
    };
    const child = fork(entry, [JSON.stringify(given)], {
      execArgv: loaderFlags(process.execArgv),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    let reason: string | undefined;
    let start = first;

    if (child.stderr !== null) {
      createInterface({ input: child.stderr }).on('line', (line) => this.#log(`local chain: ${line}`));
    }
    child.on('message', (message) => {
      if (!isChildMessage(message)) return;
      if (message.kind === 'copied' || message.kind === 'held') return;
      if (message.kind === 'failed') {
        reason = message.reason;
        return;
      }
      this.#port = message.port;
      this.#up = true;
      start?.listening(message.port);
      start = undefined;
      if (this.#restarts > 0) this.#log(`local chain: restarted on port ${message.port}`);
    });
    // The exit reports why a message could not be delivered.
    child.on('error', (error) => {
      reason ??= error.message;
      if (child.pid === undefined) this.#ended(child, reason, startedAt, { start, wasKilled: false });
    });
    child.on('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      const wasKilled = signal !== null && reason === undefined;
      this.#ended(child, reason ?? how, startedAt, { start, wasKilled });
    });
  }

  #ended(
    child: ChildProcess,
    how: string,
    startedAt: number,
    { start, wasKilled }: { readonly start: FirstStart | undefined; readonly wasKilled: boolean },
  ): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#up = false;
    if (this.#closing) return;
    this.#lastExit = how;
    if (start !== undefined && (!wasKilled || this.#restarts >= MAX_STARTS)) {
      start.failed(`the local chain did not start: ${how}`);
      return;
    }
    if (Date.now() - startedAt > HEALTHY_MILLISECONDS) this.#backoff = MIN_BACKOFF_MILLISECONDS;
    this.#log(`local chain: the process exited (${how}); restarting in ${this.#backoff} ms`);
    this.#timer = setTimeout(() => {
      this.#restarts += 1;
      this.#spawn(start);
    }, this.#backoff);
    this.#backoff = Math.min(this.#backoff * 2, MAX_BACKOFF_MILLISECONDS);
  }
}

/** Sends a request. Resolves when `isAnswer` accepts a message; rejects if `isAnswer` throws or the process exits. */
function ask(
  child: ChildProcess,
  request: ParentMessage,
  isAnswer: (message: ChildMessage) => boolean,
): Promise<void> {
  return new Promise((done, reject) => {
    const failed = (error: unknown) => {
      leave();
      reject(error);
    };
    const ended = () => failed(notCopied('its process exited'));
    const told = (message: unknown) => {
      try {
        if (!isChildMessage(message) || !isAnswer(message)) return;
      } catch (error) {
        return failed(error);
      }
      leave();
      done();
    };
    const leave = () => void child.off('message', told).off('exit', ended);
    child.on('message', told).once('exit', ended);
    child.send(request, (error) => {
      if (error !== null) failed(notCopied(error.message));
    });
  });
}

function notCopied(reason: string): LocalChainUnavailable {
  return new LocalChainUnavailable(`the local chain was not copied: ${reason}`);
}

/** Retains only flags that affect how modules load: the port of a debugger or a program given as text must not be inherited. */
function loaderFlags(flags: readonly string[]): string[] {
  return flags.flatMap((flag, index) => {
    if (/^--(import|require|loader|experimental-loader|conditions)=/.test(flag)) return [flag];
    const value = flags[index + 1];
    return /^(--(import|require|loader|experimental-loader|conditions)|-[rC])$/.test(flag) && value
      ? [flag, value]
      : [];
  });
}
