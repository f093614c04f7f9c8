// The read model in MongoDB is exact after its server is killed, and after its network loses commands or stands still.
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { SharedReadModel } from '../../../src/kernel/ports/shared-read-model.ts';
import { eventually } from '../../support/eventually.ts';
import { fill, historyOf, randomFrom, undisturbedState } from '../../support/interrupted-read-model.ts';
import { ofTheTest } from '../../support/lifetime.ts';
import { openMongoProxy, type Treatment } from '../../support/mongo-proxy.ts';
import {
  hasMongoServer,
  type MongoServer,
  startMongoServer,
  tellOfSkippedMongo,
} from '../../support/mongo-server.ts';

tellOfSkippedMongo(9);

const LOSSES: readonly Treatment[] = ['lose the request', 'lose the answer', 'no primary'];

/** Short, since a server in Python takes its time. */
const history = historyOf(randomFrom(5), 9);

async function opened(url: string): Promise<SharedReadModel> {
  const mongo = await openMongo({ url });
  onTestFinished(() => mongo.close());
  return openReadModel({ database: mongo.database, logger: silentLogger });
}

async function throughProxy() {
  const server = await startMongoServer({}, ofTheTest);
  const proxy = await openMongoProxy(server.port, ofTheTest);
  const nameOf = () => new URL(server.newUrl()).pathname.slice(1);
  return { server, proxy, newUrl: () => proxy.urlOf(nameOf()) };
}

describe.skipIf(!hasMongoServer)('the documents and lists are the same as without', () => {
  test.each(LOSSES)('commands of which the network or an election takes its part: %s', async (loss) => {
    const { proxy, newUrl } = await throughProxy();
    const expected = await undisturbedState(history);
    for (const every of [3, 4, 5]) {
      const url = newUrl();
      // The driver sends a lost write once more by itself, so two in a row are lost now and then.
      proxy.treat((write) => (write % every === 0 || write % 11 === 1 ? loss : 'pass'));
      const filled = await fill(history, randomFrom(every), () => opened(url));
      expect(proxy.writes()).toBeGreaterThan(10);
      proxy.treat(() => 'pass');
      expect(await filled.state(), `one of ${every}`).toEqual(expected);
      await filled.close();
    }
  });

  test.each([2, 5, 6, 9])('a server that is killed at write %i and started again', async (killedAt) => {
    const { server, proxy, newUrl } = await throughProxy();
    const url = newUrl();
    let starting: Promise<void> | undefined;
    proxy.treat(async (write) => {
      if (write !== killedAt + 3) return 'pass';
      await server.kill();
      starting = restarted(server);
      return 'lose the request';
    });
    const filled = await fill(history, randomFrom(killedAt), async () => {
      await starting;
      return opened(url);
    });
    expect(starting).toBeDefined();
    await starting;
    expect(await filled.state()).toEqual(await undisturbedState(history));
    await filled.close();
  });

  async function restarted(server: MongoServer): Promise<void> {
    await server.start();
  }

  test('a network that is cut, and one that stands still', async () => {
    const { proxy, newUrl } = await throughProxy();
    const url = newUrl();
    let isAway = false;
    proxy.treat((write) => {
      if (write === 8) {
        isAway = true;
        proxy.cut();
      }
      if (write === 14) {
        isAway = true;
        proxy.stall();
      }
      return 'pass';
    });
    const healed = setInterval(() => {
      if (isAway) proxy.heal();
    }, 3_000);
    onTestFinished(() => clearInterval(healed));
    const filled = await fill(history, randomFrom(1), () => opened(url));
    expect(await filled.state()).toEqual(await undisturbedState(history));
    await filled.close();
  });

  test('while it is away, every call says so, and works again without being opened anew', async () => {
    const { proxy, newUrl } = await throughProxy();
    const readModel = await opened(newUrl());
    const kept = { name: 'kept', version: 1, indexes: { all: () => ['all'] } };
    await readModel.beginTerm(1);
    await readModel.prepare([kept]);
    await readModel.goLive(kept);
    const change = { key: 'a', position: '1', document: { a: 1 } };
    proxy.cut();
    const calls = [
      () => readModel.commit([{ collection: kept, changes: [change] }]),
      () => readModel.find(kept, 'all', 'all'),
      () => readModel.load(kept, ['a']),
      () => readModel.own(kept),
      () => readModel.writeStatus({}),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailable);
    proxy.heal();
    await eventually('it writes again', async () => {
      await readModel.commit([{ collection: kept, changes: [change] }]);
      return true;
    });
    expect(await readModel.find(kept, 'all', 'all')).toEqual([{ a: 1 }]);
    await readModel.close();
  });
});
