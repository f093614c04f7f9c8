/** How a command of `levy` prints its results: text or JSON on standard output, progress on a terminal, an exit code. */
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { visibleText } from './visible-text.ts';

export const EXIT = {
  /** Everything holds, or was done. */
  held: 0,
  /** What was looked for was found: a fault, a difference, an obstacle. */
  found: 1,
  /** It could not look: wrong usage, no store, no answer. */
  couldNotLook: 2,
} as const;

/** The reader of the output has closed it, as `| head` does: the command ends quietly. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

export interface Terminal {
  /** Whether results are printed as JSON (`--json`): one document at the end, or a line each where they are many. */
  readonly json: boolean;
  /**
   * Writes lines to standard output, and resolves when the reader has taken enough to write the next. Rejects with
   * `ReaderGone` when the output was closed: do not catch it. Control characters are shown, line ends within a line too.
   */
  out(...lines: readonly string[]): Promise<void>;
  /** Writes remarks for people to standard error, for what is not a result. Control characters are shown as in `out`. */
  note(...lines: readonly string[]): void;
  /** Shows how far long work has come, with its rate and the time left; nothing unless standard error is a terminal. */
  progress(title: string, unit: string): ProgressLine;
  /** Resolves when all output is with its readers, or they have left: a process that exits before would cut it short. */
  written(): Promise<void>;
  /** The exit code becomes 1. */
  foundSomething(): void;
  readonly exitCode: number;
  /**
   * Aborted by the first SIGINT or SIGTERM; a second one ends the process. Until it is asked for, the first one ends the
   * process.
   */
  stopSignal(): AbortSignal;
}

export interface TerminalStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** `isJson` is asked when a command runs, after the arguments are read. */
export function createTerminal({ stdout, stderr }: TerminalStreams, isJson: () => boolean): Terminal {
  let exitCode: number = EXIT.held;
  let isGone = false;
  let stopping: AbortController | undefined;
  let shown: ProgressLine | undefined;
  stdout.on('error', () => {
    isGone = true;
  });
  // The output is closed, so there is nowhere to report to.
  stderr.on('error', () => undefined);

  return {
    get json() {
      return isJson();
    },
    get exitCode() {
      return exitCode;
    },
    async out(...lines) {
      shown?.clear();
      const hasRoom = isGone || stdout.write(printed(lines));
      // A broken pipe is reported before the next turn of the event loop ends.
      if (!hasRoom) await roomIn(stdout);
      if (isGone) throw new ReaderGone('nobody reads the output');
    },
    note(...lines) {
      shown?.clear();
      stderr.write(printed(lines));
    },
    progress(title, unit) {
      shown?.clear();
      shown = createProgressLine({ title, unit, stream: stderr });
      return shown;
    },
    async written() {
      await Promise.all([stdout, stderr].map(flushed));
    },
    foundSomething() {
      exitCode = EXIT.found;
    },
    stopSignal() {
      stopping ??= abortedBySignals();
      return stopping.signal;
    },
  };
}

function printed(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line)}\n`).join('');
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}

function roomIn(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle);
      stream.off('close', settle);
      stream.off('error', settle);
      resolve();
    };
    stream.on('drain', settle);
    stream.on('close', settle);
    stream.on('error', settle);
  });
}

function abortedBySignals(): AbortController {
  const controller = new AbortController();
  const stop = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller;
}
