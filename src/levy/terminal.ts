/** Results of `levy`'s commands: text or JSON on standard output, progress on a terminal, an exit code. */

export const EXIT = {
  /** Everything holds, or was done. */
  held: 0,
  /** The command found a fault, a difference or an obstacle. */
  found: 1,
  /** It could not look: wrong usage, no store, no answer. */
  couldNotLook: 2,
} as const;

/** The reader of the output has closed it, as `| head` does: the command ends quietly. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

export type Terminal = ReturnType<typeof createTerminal>;

/** Draws how far long work has come. `of` is the whole, where it is known. */
export type Progress = (done: number, of?: number) => void;

export interface TerminalStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Milliseconds between two drawings of the progress. */
const PAUSE = 200;

/** `isJson` is asked when a command runs, after the arguments are read. */
export function createTerminal({ stdout, stderr }: TerminalStreams, isJson: () => boolean) {
  let exitCode: number = EXIT.held;
  let isGone = false;
  let stopping: AbortController | undefined;
  let isProgressShown = false;
  stdout.on('error', () => {
    isGone = true;
  });
  // The output is closed, so there is nowhere to report to.
  stderr.on('error', () => undefined);

  function clearProgress(): void {
    if (isProgressShown) stderr.write('\r\x1b[K');
    isProgressShown = false;
  }

  /**
   * Writes lines to standard output, and resolves when the reader has taken enough to write the next. Rejects with
   * `ReaderGone` when the output was closed: do not catch it. Control characters are shown, line ends within a line too.
   */
  async function out(...lines: readonly string[]): Promise<void> {
    clearProgress();
    const hasRoom = isGone || stdout.write(printed(lines));
    // A broken pipe is reported before the next turn of the event loop ends.
    if (!hasRoom) await flushed(stdout);
    if (isGone) throw new ReaderGone('nobody reads the output');
  }

  /** Writes remarks for people to standard error, for what is not a result. Control characters are shown as in `out`. */
  function note(...lines: readonly string[]): void {
    clearProgress();
    stderr.write(printed(lines));
  }

  return {
    /** True if results are printed as JSON (`--json`): one document at the end, or a line each where they are many. */
    get json(): boolean {
      return isJson();
    },
    get exitCode(): number {
      return exitCode;
    },
    out,
    /** Writes a result: the value as JSON if that is wanted, else the lines, and the remarks to standard error. */
    async result(value: unknown, lines: string | readonly string[], remarks: readonly string[] = []) {
      if (isJson()) return out(JSON.stringify(value));
      await out(...[lines].flat());
      note(...remarks);
    },
    note,
    /** Draws nothing unless standard error is a terminal. Whatever is written next replaces the line. */
    progress(title: string, unit: string): Progress {
      let drawnAt = performance.now();
      return (done, of) => {
        if (!stderr.isTTY || performance.now() - drawnAt < PAUSE) return;
        drawnAt = performance.now();
        isProgressShown = true;
        const amount = of === undefined ? counted(done) : `${counted(done)} of ${counted(of)}`;
        const percent = of ? ` (${Math.floor((100 * Math.min(done, of)) / of)} %)` : '';
        const text = `${title}: ${amount} ${unit}${percent}`;
        stderr.write(`\r${text.slice(0, Math.max(1, (stderr.columns || 80) - 1))}\x1b[K`);
      };
    },
    /** Resolves when all output is with its readers, or they have left: a process that exits before would cut it short. */
    async written(): Promise<void> {
      await Promise.all([stdout, stderr].map(flushed));
    },
    /** The exit code becomes 1. */
    foundSomething(): void {
      exitCode = EXIT.found;
    },
    /** Aborted by the first SIGINT or SIGTERM, which ends the process where this was never called; a second one always does. */
    stopSignal(): AbortSignal {
      stopping ??= abortedBySignals();
      return stopping.signal;
    },
  };
}

function printed(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line)}\n`).join('');
}

/** Resolves when everything that was written is with its reader, or the reader has left. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

function abortedBySignals(): AbortController {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller;
}

function counted(number: number): string {
  return number.toLocaleString('en-US');
}

/** Controls (C0 with line ends, DEL, C1), format characters (bidirectional overrides, zero width), separators and half characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes text from outside safe to print: a terminal obeys control characters, and reorders or hides what others enclose. Writes
 * unsafe characters as `\u001b`. In JSON text they occur in strings only, where that means the same character.
 */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
