/** The demo goes well to its end on the embedded default and on real servers, although it and they are killed after each step. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type EventStoreServer, startEventStoreServer } from '../support/event-store-server.ts';
import { type NatsServer, startNatsServer } from '../support/nats-server.ts';
import { killAll, runDemo, servicesOf } from '../support/running-demo.ts';
import type { Environment } from '../support/service.ts';
import { hasWholeSystem, tellOfSkippedSystem } from '../support/whole-system.ts';

tellOfSkippedSystem(3);
vi.setConfig({ testTimeout: 180_000 });

interface Servers {
  readonly eventStore: EventStoreServer;
  readonly bus: NatsServer;
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
  test('although its service is killed after each step', async () => {
    const told = await runDemo({}, async (demo) => killAll(servicesOf(demo)));
    expect(told).toContain('The service ended (SIGKILL)');
    expect(told).toContain('everything held');
  });
});

describe.skipIf(!hasWholeSystem)('the demo, on EventStoreDB and NATS, goes well', () => {
  test('although its service is killed after each step', async () => {
    const servers = await startServers();
    const told = await runDemo(on(servers), async (demo) => killAll(servicesOf(demo)));
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
