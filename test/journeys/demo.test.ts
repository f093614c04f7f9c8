/** The demo goes well to its end: on the embedded default, and on real servers, although it and they are killed while it runs. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type EventStoreServer, startEventStoreServer } from '../support/event-store-server.ts';
import { type NatsServer, startNatsServer } from '../support/nats-server.ts';
import type { Environment } from '../support/service.ts';
import { hasWholeSystem, tellOfSkippedSystem } from '../support/whole-system.ts';

tellOfSkippedSystem(3);
vi.setConfig({ testTimeout: 180_000 });

const DEMO = fileURLToPath(new URL('../../dist/cli/demo/demo.js', import.meta.url));
/** After each of these steps something is killed. */
const STEPS = [
  'The wallet signs in',
  'The image is stored',
  'The unsigned transaction',
  'Signed, submitted',
  'Collected: the withheld tax',
  'Burned and sold',
  'The money is put into 2 pots',
];

interface Servers {
  readonly eventStore: EventStoreServer;
  readonly bus: NatsServer;
}

/** Runs the demo; `trouble` is called after each of the steps, with the demo's own process number. */
async function runDemo(environment: Environment, trouble: (demo: number) => Promise<void>) {
  const demo = spawn(process.execPath, [DEMO], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    if (demo.exitCode !== null || demo.pid === undefined) return;
    kill([demo.pid, ...servicesOf(demo.pid)]);
  });
  const pending = [...STEPS];
  const troubles: Promise<void>[] = [];
  let told = '';
  let complaints = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    while (pending[0] !== undefined && told.includes(pending[0])) {
      pending.shift();
      troubles.push((troubles.at(-1) ?? Promise.resolve()).then(() => trouble(demo.pid ?? 0)));
    }
  });
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const [code] = (await once(demo, 'close')) as [number | null];
  await Promise.all(troubles);
  expect(pending, told + complaints).toEqual([]);
  expect(code, told + complaints).toBe(0);
  return told;
}

/** Those of its processes that are the service: one, or none while it is just being started again. */
function servicesOf(demo: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString();
  return table.split('\n').flatMap((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return Number(parent) === demo && command.join(' ').includes('main.js') ? [Number(pid)] : [];
  });
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

async function startServers(): Promise<Servers> {
  const [eventStore, bus] = await Promise.all([startEventStoreServer(), startNatsServer()]);
  onTestFinished(() => eventStore.dispose());
  return { eventStore, bus };
}

function on({ eventStore, bus }: Servers): Environment {
  return { EVENT_STORE_URL: eventStore.url, PUBLISHER_URL: bus.url, LEASE_TTL: '2s' };
}

describe('the demo, on the embedded default, goes well', () => {
  test('to its end', async () => {
    const told = await runDemo({}, async () => {});
    expect(told).toContain('everything held');
    // Once by the demo itself, in the middle of the second run.
    expect(told.match(/The service ended/g)).toHaveLength(1);
    expect(told.match(/wallets paid too often: 0, too little: 0/g)).toHaveLength(2);
    expect(told).toContain('verified offline');
  });

  test('although its service is killed after each step', async () => {
    const told = await runDemo({}, async (demo) => kill(servicesOf(demo)));
    expect(told).toContain('The service ended (SIGKILL)');
    expect(told).toContain('everything held');
  });
});

describe.skipIf(!hasWholeSystem)('the demo, on EventStoreDB and NATS, goes well', () => {
  test('although its service is killed after each step', async () => {
    const servers = await startServers();
    const told = await runDemo(on(servers), async (demo) => kill(servicesOf(demo)));
    expect(told).toContain('The service ended (SIGKILL)');
    expect(told).toContain('everything held');
  });

  test.each(['eventStore', 'bus'] as const)('although %s is killed after each step', async (server) => {
    const servers = await startServers();
    const told = await runDemo(on(servers), async () => {
      await servers[server].kill();
      await servers[server].start();
    });
    expect(told).toContain('everything held');
    expect(told).toContain('Published on NATS');
  });
});
