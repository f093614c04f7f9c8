/** The ways to the event store, the bus and the chain are cut or stand still for some seconds while creators make tokens. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { type LoopbackProxy, openLoopbackProxy } from '../support/loopback-proxy.ts';
import { whileCreating } from '../support/while-creating.ts';
import {
  hasWholeSystem,
  type Machine,
  nextEvent,
  openWholeSystem,
  tellOfSkippedSystem,
  type WholeSystem,
} from '../support/whole-system.ts';

tellOfSkippedSystem(7);
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

type Way = 'store' | 'bus' | 'chain';
type Place = 'api' | 'settler' | 'publisher';

describe.skipIf(!hasWholeSystem)('while a way is disturbed', () => {
  let system: WholeSystem;
  let ways: { readonly [way in Way]: LoopbackProxy };
  /** The first of each kind. */
  let machines: { readonly [place in Place]: Machine };
  let apis: readonly Machine[];

  beforeAll(async () => {
    system = await openWholeSystem({
      async through({ eventStore, bus, chain: node }) {
        const [store, toBus, chain] = await Promise.all(
          [eventStore, bus, node].map((url) => openLoopbackProxy(Number(new URL(url).port), ofTheFile)),
        );
        if (store === undefined || toBus === undefined || chain === undefined)
          throw new Error('three were asked for');
        ways = { store, bus: toBus, chain };
        return {
          EVENT_STORE_URL: `esdb://127.0.0.1:${store.port}?tls=false`,
          PUBLISHER_URL: `nats://127.0.0.1:${toBus.port}`,
          CHAIN_URL: `http://127.0.0.1:${chain.port}`,
        };
      },
    });
    const [api, other, settler, publisher] = await Promise.all([
      system.machine('api'),
      system.machine('api'),
      system.machine('settler'),
      system.machine('publisher'),
    ]);
    apis = [api, other];
    machines = { api, settler, publisher };
  });

  async function expectReadersAnswered(): Promise<void> {
    const client = createClient(machines.api.url);
    const { tokens } = await client.ask<{ tokens: { mintAddress: string }[] }>('GET', '/tokens');
    const mintAddress = tokens[0]?.mintAddress;
    for (const path of ['/health', `/tokens/${mintAddress}`, `/metadata/${mintAddress}.json`, '/featured'])
      await client.ask('GET', path);
  }

  /** Each with what readiness must name at which process; the other processes stay ready. */
  test.each<readonly [Way, 'cut' | 'stall', { readonly [place in Place]?: string }]>([
    ['store', 'cut', { api: 'event store', settler: 'role settler', publisher: 'role publisher' }],
    ['store', 'stall', { api: 'event store', settler: 'role settler', publisher: 'role publisher' }],
    ['bus', 'cut', { publisher: 'publisher' }],
    ['bus', 'stall', { publisher: 'publisher' }],
    ['chain', 'cut', { api: 'chain', settler: 'chain' }],
    ['chain', 'stall', { api: 'chain', settler: 'chain' }],
  ])('the one to the %s (%s), readiness says so, readers are answered, and nothing is lost', (way, how, failing) =>
    whileCreating(system, apis, async (creators) => {
      await nextEvent(system, 'SubmissionAccepted');
      ways[way][how]();
      for (const place of ['api', 'settler', 'publisher'] as const) {
        const part = failing[place];
        await eventually(`${place} tells that ${part ?? 'nothing'} fails`, async () => {
          const { isReady, failing: found } = await machines[place].readiness();
          return part === undefined ? isReady : !isReady && found.includes(part);
        });
      }
      await expectReadersAnswered();
      if (way === 'bus') await creators.goOn(1);
      ways[way].resume();
      for (const [place, machine] of Object.entries(machines))
        await eventually(`${place} is ready again`, async () => (await machine.readiness()).isReady);
    }));

  test('writers are refused as long as the event store is not reached, with the reason, and go on where they were', async () => {
    const creator = await openCreator({ url: machines.api.url, chainUrl: system.chainUrl });
    const json = await creator.tokenInput();
    const draft = () =>
      creator.call<{ code?: string }>('POST', '/tokens/create-unsigned', {
        json,
        headers: { 'idempotency-key': 'kept' },
      });
    ways.store.cut();
    const refused = [
      await draft(),
      await creator.call<{ code?: string }>('POST', '/tokens/generate-distribution-wallet'),
      // Whether a session was ended elsewhere is known to the log alone.
      await creator.call<{ code?: string }>('GET', '/tokens/me'),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      refused.map(() => '503 STORE_UNAVAILABLE'),
    );
    ways.store.resume();
    await eventually('it is ready again', async () => (await machines.api.readiness()).isReady);
    expect((await draft()).status).toBe(200);
  });
});
