/**
 * Processes take turns: each call to a port waits until it is its process's turn, and a process can die at any call,
 * before it or after it took effect. What a dead process still waits for never comes.
 */
import type { Random } from './random.ts';

export interface Turns {
  /** The port to a process. */
  of<Port extends object>(process: Process, port: Port): Port;
  /** Starts a process; it is dead once `kill` was called. */
  start(name: string): Process;
  /**
   * Lets one waiting call go on. False if none waits. Does not wait for what the process does next.
   */
  next(): Promise<boolean>;
  /** Resolves when nothing goes on by itself any more: everybody waits for a turn, or has ended. */
  settled(): Promise<void>;
  readonly calls: number;
}

export interface Process {
  readonly name: string;
  isDead(): boolean;
  kill(): void;
}

interface Waiting {
  readonly process: Process;
  readonly run: () => Promise<void>;
}

export function createTurns(random: Random, crash: () => number): Turns {
  const draws = random.of('turns');
  let waiting: Waiting[] = [];
  let arrived = 0;
  let calls = 0;

  function turn<Result>(process: Process, work: () => Promise<Result>): Promise<Result> {
    arrived += 1;
    return new Promise<Result>((resolve, reject) => {
      if (process.isDead()) return;
      waiting.push({
        process,
        async run() {
          calls += 1;
          if (draws.chance(crash())) {
            // Half of the time it dies with the call done and the answer unread.
            if (draws.chance(0.5)) await work().catch(() => undefined);
            process.kill();
            return;
          }
          try {
            const result = await work();
            if (!process.isDead()) resolve(result);
          } catch (error) {
            if (!process.isDead()) reject(error);
          }
        },
      });
    });
  }

  return {
    get calls() {
      return calls;
    },
    start(name) {
      let dead = false;
      const process: Process = {
        name,
        isDead: () => dead,
        kill() {
          dead = true;
          waiting = waiting.filter((call) => call.process !== process);
        },
      };
      return process;
    },
    of: (process, port) =>
      new Proxy(port, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function' || typeof name !== 'string') return member;
          if (member.constructor.name === 'AsyncGeneratorFunction')
            return (...args: readonly unknown[]) =>
              listed(() => turn(process, async () => all(Reflect.apply(member, target, args))));
          return (...args: readonly unknown[]) =>
            turn(process, async () => (await Reflect.apply(member, target, args)) as unknown);
        },
      }),
    async next() {
      if (waiting.length === 0) return false;
      const index = draws.below(waiting.length);
      const [call] = waiting.splice(index, 1);
      await call?.run();
      return true;
    },
    async settled() {
      // Work that yields to others takes some turns of the event loop without asking for anything.
      for (let quiet = 0; quiet < 3; quiet += 1) {
        const before = arrived;
        await new Promise((resolve) => setImmediate(resolve));
        if (arrived !== before) quiet = -1;
      }
    },
  };
}

async function all(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const result: unknown[] = [];
  for await (const item of items) result.push(item);
  return result;
}

async function* listed(read: () => Promise<readonly unknown[]>): AsyncGenerator<unknown> {
  yield* await read();
}
