/**
 * Child processes of a benchmark: servers that report their address, and the load generator, each on a separate core
 * if possible.
 */
import { type ChildProcess, fork } from 'node:child_process';

export interface ServerProcess {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly pid: number;
  /** Sends a message to a server that accepts messages. */
  tell(message: string | object): void;
  /** Resolves with the server's next message. */
  ask(message: string | object): Promise<unknown>;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;
const ANSWER_TIMEOUT = 30_000;

/** The module must call `serve`; `options` must be JSON. */
export async function startServer(module: URL, options: object): Promise<ServerProcess> {
  const child = fork(module, [JSON.stringify(options)], { env: { ...process.env, NODE_ENV: 'production' } });
  const url = await answerOf(child, START_TIMEOUT);
  if (typeof url !== 'string') throw new Error('a server did not say where it listens');
  return {
    url,
    pid: child.pid ?? 0,
    tell: (message) => child.send(message),
    ask(message) {
      const answer = answerOf(child, ANSWER_TIMEOUT);
      child.send(message);
      return answer;
    },
    stop: () => ended(child),
  };
}

/** In the server's process: listens, reports the address to the parent, and ends when the parent disconnects. */
export async function serve<Options>(open: (options: Options) => Promise<Served>): Promise<void> {
  const { url, close } = await open(JSON.parse(process.argv[2] ?? '{}') as Options);
  process.once('disconnect', () => {
    close().finally(() => process.exit(0));
  });
  process.send?.(url);
}

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** The child's next message. */
export function answerOf(child: ChildProcess, milliseconds: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('no answer in time'))), milliseconds);
    const ended = (code: number | null) =>
      settle(() => reject(new Error(`the process ended with ${code} before it answered`)));
    const answered = (message: unknown) => settle(() => resolve(message));
    function settle(then: () => void): void {
      clearTimeout(timer);
      child.off('exit', ended).off('message', answered);
      then();
    }
    child.once('exit', ended).once('message', answered);
  });
}

export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    if (child.connected) child.disconnect();
  });
}
