/** Output of `levy`: text or JSON results on standard output, progress on a terminal, an exit code. */

export const EXIT = {
  /** All checks passed, or the work is done. */
  held: 0,
  /** The command found a fault, a difference or an obstacle. */
  found: 1,
  /** The command could not run: wrong usage, no store, no response. */
  unchecked: 2,
} as const;

/** The reader has closed the output, as `| head` does: the command ends without a message. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export type Terminal = ReturnType<typeof createTerminal>;

/** Reports the progress of long work. `of` is the total, if known. */
export type Progress = (done: number, of?: number) => void;

export interface TerminalStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Milliseconds between two updates of the progress line. */
const PAUSE = 200;

/** `isJson` is called when a command runs, after the arguments are parsed. */
export function createTerminal({ stdout, stderr }: TerminalStreams, isJson: () => boolean) {
  let exitCode: number = EXIT.held;
  let isClosed = false;
  let stopping: AbortController | undefined;
  let isProgressShown = false;
  stdout.on('error', () => {
    isClosed = true;
  });
  // The output is closed, so the error cannot be reported.
  stderr.on('error', () => undefined);

  function clearProgress(): void {
    if (isProgressShown) stderr.write('\r\x1b[K');
    isProgressShown = false;
  }

  /**
   * Writes lines to standard output, and resolves when the next can be written. Rejects with `OutputClosed` if the output
   * was closed: do not catch it. Control characters are escaped, including line ends within a line.
   */
  async function out(...lines: readonly string[]): Promise<void> {
    clearProgress();
    const hasRoom = isClosed || stdout.write(printed(lines));
    // A broken pipe is reported before the next iteration of the event loop ends.
    if (!hasRoom) await flushed(stdout);
    if (isClosed) throw new OutputClosed('the output was closed by its reader');
  }

  /** Writes remarks for people to standard error. Control characters are escaped as in `out`. */
  function note(...lines: readonly string[]): void {
    clearProgress();
    stderr.write(printed(lines));
  }

  return {
    /** True if results are printed as JSON (`--json`): one document at the end, or one per line. */
    get json(): boolean {
      return isJson();
    },
    get exitCode(): number {
      return exitCode;
    },
    out,
    /** Writes a result: the value as JSON with `--json`, else the lines, and the remarks to standard error. */
    async result(value: unknown, lines: string | readonly string[], remarks: readonly string[] = []) {
      if (isJson()) return out(JSON.stringify(value));
      await out(...[lines].flat());
      note(...remarks);
    },
    note,
    /** Draws only if standard error is a terminal. The next output replaces the line. */
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
    /** Resolves when all output has been read, or its readers have left: an earlier exit would truncate it. */
    async written(): Promise<void> {
      await Promise.all([stdout, stderr].map(flushed));
    },
    /** Sets the exit code to 1. */
    foundSomething(): void {
      exitCode = EXIT.found;
    },
    /** Aborted by the first SIGINT or SIGTERM, which would end the process without this call; a second signal ends it. */
    stopSignal(): AbortSignal {
      stopping ??= abortedBySignals();
      return stopping.signal;
    },
  };
}

function printed(lines: readonly string[]): string {
  return lines.map((line) => `${visibleText(line)}\n`).join('');
}

/** Resolves when all output has been read, or its reader has left. */
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

/**
 * Control characters (C0 with line ends, DEL, C1), format characters (bidirectional overrides, zero width), separators
 * and lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes foreign text safe to print: terminals obey control characters, and reorder or hide text between format
 * characters. Unsafe characters are written as `\u001b`. In JSON text they occur only in strings, where the escape is
 * equivalent.
 */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
