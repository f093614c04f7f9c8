// Faults of the bus, the network and the publishers: each outcome is on the bus once, and in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nanos, type StreamConfig } from 'nats';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Publisher } from '../../src/kernel/ports/publisher.ts';
import { ENDLESS_SOURCE, endlessIds, endlessMessage, publishEndlessLog } from '../support/endless-log.ts';
import { eventually } from '../support/eventually.ts';
import { openLoopbackProxy } from '../support/loopback-proxy.ts';
import { natsPublisher, STREAM, storedMessages } from '../support/nats-bus.ts';
import {
  hasNatsServer,
  type NatsServer,
  startNatsServer,
  tellOfSkippedNats,
} from '../support/nats-server.ts';

tellOfSkippedNats(7);

const groups = ['tokens', 'submissions'];
const subjects = groups.map((group) => `${group}.*`);
/** So short that whatever happens takes longer: the server's own memory of ids helps nobody here. Milliseconds. */
const WINDOW = 100;
const IMPATIENT = { groups, ackTimeout: 500, timeout: 500 } as const;
const never = new AbortController().signal;

describe.skipIf(!hasNatsServer)('each outcome is on the bus once, and in order,', () => {
  let server: NatsServer;

  beforeEach(async () => {
    server = await startNatsServer();
    await makeStream({});
  });

  async function makeStream(config: Partial<StreamConfig>): Promise<void> {
    const manager = await (await server.connect()).jetstreamManager();
    const window = nanos(WINDOW);
    await manager.streams.add({ name: STREAM, subjects, duplicate_window: window, ...config });
  }

  async function manager() {
    return (await server.connect()).jetstreamManager();
  }

  async function idsOnBus(): Promise<readonly string[]> {
    const connection = await server.connect();
    const messages = await storedMessages(connection);
    return messages.map(({ id }) => id);
  }

  const lastSequence = async () => (await (await manager()).streams.info(STREAM)).state.last_seq;

  /** The publisher is at it until the bus has `wanted`; every time it has `each` more, it meets with something. */
  async function publishThrough(
    port: number,
    wanted: number,
    each: number,
    meet: (publisher: Publisher) => Promise<void>,
  ): Promise<void> {
    const publisher = natsPublisher(port, IMPATIENT);
    const meetings: Promise<void>[] = [];
    let due = each;
    await publishEndlessLog(publisher, wanted, (place) => {
      if (place < due) return;
      due = place + each;
      meetings.push(meet(publisher));
    });
    await Promise.all(meetings);
    expect(meetings.length).toBeGreaterThan(1);
    expect(await idsOnBus()).toEqual(endlessIds(wanted));
  }

  test('when the server is killed and started again and again', async () => {
    await publishThrough(server.port, 12_000, 2_000, async () => {
      await server.kill();
      await server.start();
    });
  });

  test('when the server freezes again and again', async () => {
    await publishThrough(server.port, 6_000, 2_500, async (publisher) => {
      server.freeze();
      await eventually('the publisher has given it up', async () => !publisher.status().isConnected);
      server.thaw();
    });
  });

  test('when the network is cut again and again', async () => {
    const proxy = await openLoopbackProxy(server.port);
    await publishThrough(proxy.port, 12_000, 1_500, async (publisher) => {
      proxy.cut();
      await eventually('the connection is lost', async () => !publisher.status().isConnected);
      proxy.resume();
    });
  });

  test('when the network stalls, and what waited in it arrives after all', async () => {
    const proxy = await openLoopbackProxy(server.port);
    const publisher = natsPublisher(proxy.port, IMPATIENT);
    const { lost } = await publisher.resume(ENDLESS_SOURCE, never);
    await publisher.publish(endlessIds(10).map((_, index) => endlessMessage(index + 1)));
    proxy.stall();
    const late = publisher.publish(endlessIds(200).map((_, index) => endlessMessage(index + 11)));
    await expect(late).rejects.toThrow('does not acknowledge');
    await lost;

    const publishing = publishEndlessLog(publisher, 500);
    proxy.resume();
    await publishing;
    expect(await idsOnBus()).toEqual(endlessIds(500));
  });

  test('and an answer that is slow is waited for', async () => {
    const proxy = await openLoopbackProxy(server.port);
    const publisher = natsPublisher(proxy.port, { groups });
    await publisher.resume(ENDLESS_SOURCE, never);
    proxy.stall();
    const publishing = publisher.publish([endlessMessage(1), endlessMessage(2)]);
    const settled = await Promise.race([publishing.then(() => true), eventuallyStalled()]);
    expect(settled).toBe(false);
    proxy.resume();
    await publishing;
    expect(publisher.status()).toEqual({ isConnected: true, connections: 1, stored: 2 });
  });

  test('when two publish at once, and are killed again and again', async () => {
    const reached: number[] = [];
    const publisher = () => {
      const script = fileURLToPath(new URL('../support/publish-until-killed.ts', import.meta.url));
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', '--conditions=levy-source', script, String(server.port)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const killAfter = async (child: ChildProcess, lines: number) => {
      const { stdout } = child;
      if (stdout === null) throw new Error('its output is a pipe');
      const gone = once(child, 'exit');
      let left = lines;
      for await (const line of createInterface({ input: stdout })) {
        reached.push(Number(line));
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      }
      await gone;
    };
    await Promise.all(
      [
        [1, 40, 3, 200],
        [7, 90, 1, 25],
      ].map(async (lives) => {
        for (const lines of lives) await killAfter(publisher(), lines);
      }),
    );
    const found = await idsOnBus();
    expect(found.length).toBeGreaterThanOrEqual(Math.max(...reached));
    expect(found).toEqual(endlessIds(found.length));
  });

  test('when the stream is purged while publishers come and go', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const publisher = natsPublisher(server.port, IMPATIENT);
      await publishEndlessLog(publisher, round * 300);
      await (await manager()).streams.purge(STREAM);
      if (round === 3) {
        await server.kill();
        await server.start();
      }
    }
    await publishEndlessLog(natsPublisher(server.port, IMPATIENT), 1_600);
    expect(await idsOnBus()).toEqual(endlessIds(1_600).slice(1_500));
    expect(await lastSequence()).toBe(1_600);
  });
});

/** Resolves with false when there has been time for many answers. */
async function eventuallyStalled(): Promise<false> {
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  return false;
}
