/** Several processes on an EventStoreDB of three nodes: creators make tokens while the node that leads is killed. */
import { beforeAll, describe, test, vi } from 'vitest';
import {
  type EventStoreCluster,
  hasEventStoreCluster,
  startEventStoreCluster,
  tellOfSkippedCluster,
} from '../support/event-store-cluster.ts';

import { hasNatsServer } from '../support/nats-server.ts';
import { whileCreating } from '../support/while-creating.ts';
import { type Machine, nextEvent, openSystemOn, type SystemOn } from '../support/whole-system.ts';

tellOfSkippedCluster('2 journeys on a cluster');
vi.setConfig({ testTimeout: 150_000, hookTimeout: 120_000 });

describe.skipIf(!hasEventStoreCluster || !hasNatsServer)('on three nodes', () => {
  let cluster: EventStoreCluster;
  let system: SystemOn;
  let apis: readonly Machine[];

  beforeAll(async () => {
    cluster = await startEventStoreCluster();
    system = await openSystemOn(cluster.url);
    const [one, other] = await Promise.all([
      system.machine('api'),
      system.machine('api'),
      system.machine('settler,publisher'),
    ]);
    apis = [one, other];
  });

  test('nothing that was acknowledged is lost, and what was not is made once, when the leader is killed twice', () =>
    whileCreating(system, apis, async (creators) => {
      for (let kills = 0; kills < 2; kills += 1) {
        await nextEvent(system, 'SubmissionAccepted');
        const leader = await cluster.leader();
        await cluster.kill(leader);
        await creators.goOn(3);
        await cluster.start(leader);
        await creators.goOn(1);
      }
    }));

  test('nobody notices when a node that follows is killed', () =>
    whileCreating(system, apis, async (creators) => {
      const leader = await cluster.leader();
      const follower = (leader + 1) % 3;
      await cluster.kill(follower);
      await creators.goOn(3);
      await cluster.start(follower);
    }));
});
