/** A real EventStoreDB of three nodes for one file of tests, each of which can be killed and restarted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { eventually } from './eventually.ts';
import { tryToKill } from './try-to-kill.ts';

/**
 * A shell command that runs three nodes in the foreground, without TLS, on 127.0.0.1 at `{port}` and the two above it, with
 * their data in the folder `{dir}`, where it writes the number of each one's process to `node0.pid` and so on.
 */
const command = process.env.TEST_EVENT_STORE_CLUSTER_COMMAND;
/** The same for the node `{node}` (0, 1 or 2) alone, which ran before. */
const nodeCommand = process.env.TEST_EVENT_STORE_NODE_COMMAND;

export const hasEventStoreCluster = command !== undefined && nodeCommand !== undefined;

/** Says once in a file that its tests are skipped, and why; the runner counts them. */
export function tellOfSkippedCluster(what: string): void {
  if (hasEventStoreCluster) return;
  console.warn(
    `SKIPPED: ${what}, because TEST_EVENT_STORE_CLUSTER_COMMAND and TEST_EVENT_STORE_NODE_COMMAND name no commands that run three nodes of EventStoreDB`,
  );
}

export interface EventStoreCluster {
  readonly url: string;
  /** The number of the node that leads, as most of the others see it; waits until there is one. */
  leader(): Promise<number>;
  /** Without a warning, as a lost machine would. */
  kill(node: number): Promise<void>;
  /** Resolves when all three are there again. */
  start(node: number): Promise<void>;
}

const NODES = [0, 1, 2];
/** Below the ports that systems give out by themselves, and 20,000 above too, where nodes may talk to each other. */
const PORTS = { from: 10_200, to: 12_600 };

/** Resolves when it has a leader. Killed after the tests of the file. */
export async function startEventStoreCluster(): Promise<EventStoreCluster> {
  const folder = await folderForTheFile();
  const port = await threeFreePorts();
  const groups: ChildProcess[] = [];
  /** By themselves, since they were killed. */
  const again = new Map<number, ChildProcess>();
  const down = new Set<number>();

  function run(line: string | undefined, node = ''): ChildProcess {
    const filled = (line ?? '')
      .replaceAll('{port}', String(port))
      .replaceAll('{dir}', folder)
      .replaceAll('{node}', node);
    const group = spawn('sh', ['-c', filled], { stdio: 'ignore', detached: true });
    groups.push(group);
    return group;
  }

  const numberOf = async (node: number) => Number(await readFile(join(folder, `node${node}.pid`), 'utf8'));

  /** As a supervisor: a node that has to take back what the others never had ends itself, and does so when it is started again. */
  async function supervise(): Promise<void> {
    for (const node of NODES) {
      const own = again.get(node);
      const hasEnded =
        own === undefined ? !isAlive(await numberOf(node)) : own.exitCode !== null || own.signalCode !== null;
      if (hasEnded && !down.has(node)) again.set(node, run(nodeCommand, String(node)));
    }
  }

  async function members(): Promise<readonly Member[]> {
    const asked = NODES.map(async (node) => {
      const headers = { accept: 'application/json' };
      const signal = AbortSignal.timeout(1_000);
      const response = await fetch(`http://127.0.0.1:${port + node}/gossip`, { headers, signal });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(asked);
  }

  async function leader(): Promise<number> {
    return eventually('a node leads', async () => {
      const leading = (await members()).filter(({ isAlive, state }) => isAlive && state === 'Leader');
      const found = leading.map(({ httpEndPointPort }) => httpEndPointPort - port);
      return found.length === 1 && found;
    }).then(([found = 0]) => found);
  }

  async function allThere(): Promise<void> {
    await eventually(
      'all three nodes are there',
      async () => {
        await supervise();
        const states = (await members()).filter(({ isAlive }) => isAlive).map(({ state }) => state);
        return states.sort().join() === 'Follower,Follower,Leader';
      },
      { seconds: 60 },
    );
  }

  afterTheFile(async () => {
    // Whichever of them still runs, and what waits for them.
    for (const { pid = 0, exitCode, signalCode } of groups)
      if (exitCode === null && signalCode === null) tryToKill(-pid);
    for (const node of NODES) tryToKill(await numberOf(node));
  });
  run(command);
  await allThere();
  return {
    url: `esdb://${NODES.map((node) => `127.0.0.1:${port + node}`).join(',')}?tls=false`,
    leader,
    async kill(node) {
      down.add(node);
      tryToKill(await numberOf(node));
    },
    async start(node) {
      down.delete(node);
      again.set(node, run(nodeCommand, String(node)));
      await allThere();
    },
  };
}

interface Member {
  readonly state: string;
  readonly isAlive: boolean;
  readonly httpEndPointPort: number;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The first of three in a row. */
async function threeFreePorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const first = PORTS.from + 3 * Math.floor((Math.random() * (PORTS.to - PORTS.from)) / 3);
    const wanted = NODES.flatMap((node) => [first + node, first + node + 20_000]);
    const free = await Promise.all(wanted.map(isFree));
    if (free.every(Boolean)) return first;
  }
  throw new Error('no three ports in a row are free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
