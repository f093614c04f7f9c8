/** Backups of a running service over HTTP: one at a time, given up with their callers, and without growing the process. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { partsOf } from '../../src/operations/archive/frames.ts';
import { problemFault } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
const SMALL_LOG = MEGABYTE / 4;
/** More than the buffers of both ends of a connection take. */
const LARGE_LOG = 16 * MEGABYTE;
const EVENT_BYTES = 128 * 1024;

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await openTestService(
    { NONCE_ACCOUNTS_MIN: '0', LOG_LEVEL: 'info' },
    { constants: { answerTimeoutMs: 3_000 } },
  );
  await record(SMALL_LOG);
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** In a stream of another program, which the service's own loops leave alone. */
async function record(bytes: number): Promise<void> {
  const stream = `foreign-${randomUUID()}`;
  for (let count = 0; count < bytes / EVENT_BYTES; count += 1) {
    const data = { count, text: 'x'.repeat(EVENT_BYTES) };
    const event = { id: randomUUID(), type: 'thing-happened', data, metadata: {} };
    await service.append(stream, count === 0 ? 'none' : count - 1, [event]);
  }
}

function ask(signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.url}/operator/backups`, {
    method: 'POST',
    headers: { 'x-operator-key': OPERATOR_KEY },
    ...(signal && { signal }),
  });
}

/** Reads a backup to its end; resolves with the events that it says it has. */
async function wholeBackup(): Promise<number> {
  const response = await eventually('the backup before has ended', async () => {
    const answer = await ask();
    if (answer.status === 200) return answer;
    await answer.body?.cancel();
    return undefined;
  });
  let events = 0;
  if (response.body === null) throw new Error('no body');
  for await (const part of partsOf(response.body)) if (part.kind === 'end') events = part.end.events;
  return events;
}

test('200 backups leave the heap as large as it was', { timeout: 300_000 }, async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => {
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return (heapUsed + external + arrayBuffers) / MEGABYTE;
  };
  /** What finalizers let go, and what is swept beside the work, is gone some turns of the event loop later. */
  async function heap(): Promise<number> {
    let least = held();
    for (let unchanged = 0; unchanged < 5; unchanged += 1) {
      await sleep(50);
      const now = held();
      if (now < least - 0.1) unchanged = -1;
      least = Math.min(least, now);
    }
    return least;
  }
  // Caches fill.
  for (let count = 0; count < 20; count += 1) await wholeBackup();
  // Other files of the suite run in this process and leave things of theirs; what backups held would grow in each quarter.
  const growth: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const before = await heap();
    for (let count = 0; count < 50; count += 1) await wholeBackup();
    growth.push((await heap()) - before);
  }
  expect(Math.min(...growth), growth.join(', ')).toBeLessThan(1.25);
});

test('a second backup is refused while one is under way, with the time to wait, and records nothing', async () => {
  await record(LARGE_LOG);
  const leaving = new AbortController();
  const first = await ask(leaving.signal);
  expect(first.status).toBe(200);
  const recorded = service.recorded.length;
  for (let times = 0; times < 5; times += 1) {
    const second = await ask();
    const problem = await second.json();
    expect(problem).toMatchObject({ code: 'BACKUP_UNDER_WAY' });
    expect(problemFault(problem, second.status, second.headers)).toBeUndefined();
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '30']);
  }
  expect(service.recorded).toHaveLength(recorded);
  leaving.abort();
});

test('a caller that goes away ends its backup, and the next one is whole', async () => {
  const leaving = new AbortController();
  const first = await eventually('the backup before has ended', async () => {
    const answer = await ask(leaving.signal);
    return answer.status === 200 ? answer : undefined;
  });
  await first.body?.getReader().read();
  leaving.abort();
  expect(await wholeBackup()).toBeGreaterThanOrEqual(LARGE_LOG / EVENT_BYTES);
  expect(service.logged.map(({ msg }) => msg)).toContain('backup left by its caller');
});

test('a caller that stops reading is cut off after a while, so that it keeps nobody from a backup', async () => {
  const { hostname, port } = new URL(service.url);
  const request = requestText('POST', '/operator/backups', { 'x-operator-key': OPERATOR_KEY });
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on('error', () => socket.destroy());
  sockets.push(socket);
  await eventually('its backup has begun', async () => (await ask()).status === 409);
  expect(await wholeBackup()).toBeGreaterThanOrEqual(LARGE_LOG / EVENT_BYTES);
});
