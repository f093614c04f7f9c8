/**
 * Creators create tokens while each process and the bus are killed and restarted; no caller gets a wrong answer. The log, a
 * stand-in, is not killed.
 */
import { beforeAll, describe, test, vi } from 'vitest';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { hasNatsServer, tellOfSkippedNats } from '../support/nats-server.ts';
import type { SteadyCreators } from '../support/steady-creators.ts';
import { whileCreating } from '../support/while-creating.ts';
import { type Machine, nextEvent, openSystemOn, type SystemOn } from '../support/whole-system.ts';

tellOfSkippedNats(6);
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NONCE_ACCOUNTS = 6;

describe.skipIf(!hasNatsServer)('creators who make tokens', () => {
  let system: SystemOn;
  let settler: Machine;
  let publisher: Machine;
  let apis: readonly Machine[];

  beforeAll(async () => {
    const { url } = await startEventStoreStandIn({ lifetime: ofTheFile });
    system = await openSystemOn(url, { NONCE_ACCOUNTS_MIN: String(NONCE_ACCOUNTS) });
    // Before anybody has begun the log, which it cannot.
    publisher = await system.machine('publisher');
    const opened = nextEvent(system, 'NonceAccountOpened');
    settler = await system.machine('settler');
    // The others may be on the chain by now, and not yet in the log.
    await opened;
    await settler.kill();
    const [one, other] = await Promise.all([system.machine('api'), system.machine('api'), settler.start()]);
    apis = [one, other];
  });

  const goWell = (trouble: (creators: SteadyCreators) => Promise<void>) =>
    whileCreating(system, apis, trouble);

  test('find the nonce accounts that a settler was about to open when it was killed', async () => {
    await eventually('all nonce accounts are open', async () => {
      const opened = (await system.events()).filter(({ type }) => type === 'NonceAccountOpened');
      return opened.length === NONCE_ACCOUNTS;
    });
    await goWell(async () => undefined);
  });

  test('get them all, and each once, however far they are when the settler is killed', () =>
    goWell(async (creators) => {
      for (const type of ['NonceLeased', 'SubmissionAccepted', 'SubmissionConfirmed', 'TokenCreated']) {
        await nextEvent(system, type);
        await settler.kill();
        await settler.start();
        await creators.goOn(1);
      }
    }));

  test('go on at another process when the one that they call is killed', () =>
    goWell(async (creators) => {
      for (const api of apis) {
        await nextEvent(system, 'SubmissionAccepted');
        await api.kill();
        await creators.goOn(1);
        await api.start();
      }
    }));

  test('are told of on the bus, each once, when the publisher is killed', () =>
    goWell(async (creators) => {
      for (let kills = 0; kills < 3; kills += 1) {
        await nextEvent(system, 'TokenCreated');
        await publisher.kill();
        await creators.goOn(1);
        await publisher.start();
      }
    }));

  test('are kept waiting at most when the bus is killed', () =>
    goWell(async (creators) => {
      for (let kills = 0; kills < 2; kills += 1) {
        await nextEvent(system, 'SubmissionAccepted');
        await system.bus.kill();
        await system.bus.start();
        await creators.goOn(1);
      }
    }));

  test('get them all when every process and the bus are killed at once', () =>
    goWell(async () => {
      await nextEvent(system, 'SubmissionAccepted');
      const machines = [settler, publisher, ...apis];
      await Promise.all([...machines, system.bus].map((each) => each.kill()));
      await Promise.all([system.bus, ...machines].map((each) => each.start()));
    }));
});
