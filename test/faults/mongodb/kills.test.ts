/**
 * Creators make tokens while each process and the database that all of them share is killed: every process lists the same
 * afterwards, and what the log says. The log is the stand-in for EventStoreDB: it stays.
 */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startEventStoreStandIn } from '../../support/event-store-stand-in/server.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import {
  hasMongoServer,
  type MongoServer,
  startMongoServer,
  tellOfSkippedMongo,
} from '../../support/mongo-server.ts';
import { hasNatsServer, tellOfSkippedNats } from '../../support/nats-server.ts';
import type { SteadyCreators } from '../../support/steady-creators.ts';
import { whileCreating } from '../../support/while-creating.ts';
import { type Machine, nextEvent, openSystemOn, type SystemOn } from '../../support/whole-system.ts';

const TESTS = 5;
if (hasNatsServer) tellOfSkippedMongo(TESTS);
tellOfSkippedNats(TESTS);
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

describe.skipIf(!hasMongoServer || !hasNatsServer)(
  'creators whose service keeps its lists in MongoDB',
  () => {
    let system: SystemOn;
    let mongo: MongoServer;
    let apis: readonly Machine[];
    let projector: Machine;
    let worker: Machine;

    beforeAll(async () => {
      const [standIn, server] = await Promise.all([
        startEventStoreStandIn({ lifetime: ofTheFile }),
        startMongoServer({}, ofTheFile),
      ]);
      mongo = server;
      const url = mongo.newUrl();
      system = await openSystemOn(standIn.url, {
        READ_MODEL_URL: url,
        IMAGE_STORE_URL: url,
        LEDGER_STORE_URL: url,
      });
      worker = await system.machine('settler,publisher,distributor');
      const [one, other, writer] = await Promise.all([
        system.machine('api'),
        system.machine('api'),
        system.machine('projector'),
      ]);
      apis = [one, other];
      projector = writer;
    });

    const goWell = (trouble: (creators: SteadyCreators) => Promise<void>) =>
      whileCreating(system, apis, trouble);

    test('find them in the lists of every process when the one that writes the lists is killed', () =>
      goWell(async (creators) => {
        for (const type of ['SubmissionAccepted', 'TokenCreated']) {
          await nextEvent(system, type);
          await projector.kill();
          await projector.start();
          await creators.goOn(1);
        }
      }));

    test('are kept waiting at most when the database is killed', () =>
      goWell(async (creators) => {
        for (const type of ['SubmissionAccepted', 'TokenCreated']) {
          await nextEvent(system, type);
          await mongo.kill();
          await mongo.start();
          await creators.goOn(1);
        }
      }));

    test('are kept waiting at most when the database does nothing for a while', () =>
      goWell(async (creators) => {
        await nextEvent(system, 'SubmissionAccepted');
        mongo.freeze();
        try {
          await expect
            .poll(async () => (await apis[0]?.readiness())?.isReady, { timeout: 60_000 })
            .toBe(false);
        } finally {
          mongo.thaw();
        }
        await creators.goOn(1);
      }));

    test('see no late write of a writer that was frozen until another had taken its place', () =>
      goWell(async (creators) => {
        const other = await system.machine('projector');
        await nextEvent(system, 'TokenCreated');
        projector.pause();
        try {
          await expect
            .poll(async () => (await other.readiness()).roles.projector, { timeout: 60_000 })
            .toBe('held');
          await creators.goOn(1);
        } finally {
          projector.resume();
        }
        await creators.goOn(1);
        await other.stop();
      }));

    test('get them all when every process and the database are killed at once', () =>
      goWell(async () => {
        await nextEvent(system, 'SubmissionAccepted');
        const machines = [worker, projector, ...apis];
        await Promise.all([...machines, mongo].map((each) => each.kill()));
        await mongo.start();
        await Promise.all(machines.map((each) => each.start()));
      }));
  },
);
