/** The process that holds a role stands still, as in a long pause of its machine: another does its work, and it does none when it wakes. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type ChainProxy, openChainProxy, sentBy } from '../support/chain-proxy.ts';
import { openCreator } from '../support/creator.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { hasNatsServer, tellOfSkippedNats } from '../support/nats-server.ts';
import { serviceProgram } from '../support/service-programs.ts';
import { whileCreating } from '../support/while-creating.ts';
import { type Machine, openSystemOn, type SystemOn } from '../support/whole-system.ts';

tellOfSkippedNats(2);
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const CHANGES = 80;

async function becomes(machine: Machine, role: string, state: string): Promise<void> {
  await eventually(`the role ${role} is ${state} there`, async () => {
    const { roles } = await machine.readiness();
    return roles[role] === state;
  });
}

/** Pauses the process in the middle of a sending; what is given resumes it. */
async function whenItSends(machine: Machine, proxy: ChainProxy): Promise<() => void> {
  await new Promise<void>((resolve) => {
    const pass = proxy.treat((call) => {
      if (sentBy(call) === undefined) return undefined;
      pass();
      machine.pause();
      resolve();
      return undefined;
    });
  });
  return machine.resume;
}

describe.skipIf(!hasNatsServer)('two processes of which one stands still', () => {
  let system: SystemOn;
  let api: Machine;
  let publisher: Machine;

  beforeAll(async () => {
    const { url } = await startEventStoreStandIn({ lifetime: ofTheFile });
    system = await openSystemOn(url);
    [api, publisher] = await Promise.all([system.machine('api'), system.machine('publisher')]);
  });

  test('are one settler: who wakes in an old term neither records nor sends, and takes over when it is its turn', async () => {
    const proxy: ChainProxy = await openChainProxy(system.chainUrl);
    const first = await system.machine('settler', {
      environment: { CHAIN_URL: proxy.url },
      program: serviceProgram('telling-main'),
    });
    await becomes(first, 'settler', 'held');
    const second = await system.machine('settler');
    await becomes(second, 'settler', 'waiting');

    await whileCreating(
      system,
      [api],
      async (creators) => {
        const wakeUp = await whenItSends(first, proxy);
        await becomes(second, 'settler', 'held');
        await creators.goOn(2);

        const told = first.written().length;
        const asked = proxy.asked.length;
        wakeUp();
        await becomes(first, 'settler', 'waiting');
        await creators.goOn(2);
        expect(first.written().slice(told)).not.toMatch(/^appends /m);
        expect(proxy.asked.slice(asked).filter((call) => sentBy(call) !== undefined)).toEqual([]);

        expect(await second.stop()).toBe(0);
        await becomes(first, 'settler', 'held');
        await eventually('it settles again', async () =>
          /^appends SubmissionConfirmed /m.test(first.written().slice(told)),
        );
      },
      { count: 1 },
    );
  });

  test('are one publisher: the bus has each event once although one stands still in the midst of them', async () => {
    const publishers = [publisher, await system.machine('publisher')];
    await system.machine('settler');
    const creator = await openCreator({ url: api.url, chainUrl: system.chainUrl });
    const { mintAddress } = await creator.createToken();
    for (let round = 0; round < 2; round += 1) {
      const holder = await eventually('one of them publishes', async () => {
        for (const each of publishers) if ((await each.readiness()).roles.publisher === 'held') return each;
        return undefined;
      });
      const [other] = publishers.filter((each) => each !== holder);
      for (let change = 0; change < CHANGES; change += 1) {
        if (change === CHANGES / 2) holder.pause();
        await creator.levy.patch('/distribution/{tokenId}/settings', {
          params: { path: { tokenId: mintAddress } },
          body: { burnPercent: (change % 2) + 1 },
        });
      }
      if (other !== undefined) await becomes(other, 'publisher', 'held');
      holder.resume();
      await becomes(holder, 'publisher', 'waiting');
      await other?.stop();
      await other?.start();
    }
    expect(await system.audit([api])).toEqual([]);
  });
});
