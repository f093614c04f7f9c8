/** Takes what a command of `levy` writes when it runs in the test's own process. */
import { PassThrough } from 'node:stream';
import type { TerminalStreams } from '../../src/levy/terminal.ts';

export function outputOf(): {
  readonly streams: TerminalStreams;
  written(): { readonly stdout: string; readonly stderr: string };
} {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  return {
    streams: { stdout, stderr } as unknown as TerminalStreams,
    written: () => ({ stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }),
  };
}
