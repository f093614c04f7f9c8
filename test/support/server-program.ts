/** Server for tests that runs as its own process; tests can kill, freeze and restart it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually, Hopeless } from './eventually.ts';

export interface ServerProgram {
  /** Without a warning, as a lost machine would. What the operating system had been given is still there. */
  kill(): Promise<void>;
  /** Resolves when it answers; `flags` are the server's own. */
  start(flags?: readonly string[]): Promise<void>;
  /** It keeps its connections, and does nothing. */
  freeze(): void;
  thaw(): void;
}

/** Number of stored characters of a server's error output. */
const COMPLAINT = 2_000;

/** `run` spawns it detached, as a group: a shell may stand between. `answers` resolves with true once it can be used. */
export function createServerProgram(
  name: string,
  run: (flags?: readonly string[]) => ChildProcess,
  answers: () => Promise<boolean>,
): ServerProgram {
  let server: ChildProcess | undefined;
  const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

  function signal(sent: NodeJS.Signals): void {
    if (server?.pid !== undefined && !hasEnded(server)) process.kill(-server.pid, sent);
  }

  return {
    async start(flags) {
      const started = run(flags);
      server = started;
      let complaint = '';
      started.stderr?.on('data', (data: Buffer) => {
        complaint = (complaint + data.toString()).slice(-COMPLAINT);
      });
      await eventually(
        `${name} answers`,
        async () => {
          if (hasEnded(started)) throw new Hopeless(`it ended with code ${started.exitCode}: ${complaint}`);
          return answers();
        },
        { seconds: 50 },
      );
    },
    async kill() {
      if (server === undefined || hasEnded(server)) return;
      const gone = once(server, 'exit');
      signal('SIGKILL');
      await gone;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  };
}
