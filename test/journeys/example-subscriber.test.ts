import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endlessMessage, publishEndlessLog } from '../support/endless-log.ts';
import { eventually } from '../support/eventually.ts';
import { natsPublisher, STREAM } from '../support/nats-bus.ts';
import { hasNatsServer, startNatsServer, tellOfSkippedNats } from '../support/nats-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

tellOfSkippedNats(1);

const script = fileURLToPath(new URL('../../examples/subscriber.ts', import.meta.url));

describe.skipIf(!hasNatsServer)('the example of a subscriber', () => {
  test('handles each event once and in order, however often it is killed', async () => {
    const server = await startNatsServer();
    const file = join(await temporaryFolder(), 'subscriber.db');
    const wanted = 300;
    await publishEndlessLog(natsPublisher(server.port), wanted);

    /** Killed, as it handles events, after so many of them. */
    const live = async (events: number) => {
      const child = start();
      let left = events;
      for await (const _line of createInterface({ input: child.stdout })) {
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      }
      await ended(child);
    };
    const start = () => startSubscriber(server.url, file);

    for (const events of [1, 30, 75]) await live(events);
    // One whose acknowledgement is lost with the bus.
    const last = start();
    await once(last.stdout, 'data');
    last.stdout.resume();
    await server.kill();
    await server.start();
    await eventually(
      'everything is acknowledged',
      async () => {
        const { consumers } = await (await server.connect()).jetstreamManager();
        const { num_pending: pending, num_ack_pending: open } = await consumers.info(STREAM, 'counting');
        return pending + open === 0;
      },
      { seconds: 30 },
    );
    last.kill('SIGTERM');
    expect(await ended(last)).toBe(0);

    const database = new Database(file);
    onTestFinished(() => void database.close());
    const counts = database.prepare('SELECT type, count FROM counts ORDER BY type').raw().all();
    expect(counts).toEqual([
      ['levy.submissions.accepted', 200],
      ['levy.tokens.shown', 100],
    ]);
    const [position] = database.prepare('SELECT position FROM handled').raw().get() as [string];
    expect(position).toBe(endlessMessage(wanted).position);
  });
});

function startSubscriber(url: string, file: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=levy-source', script, url, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
