/** Backups of a running service over HTTP: one at a time, and given up with their callers. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForBackup, EVENT_BYTES, growLog, wholeBackup } from '../support/backups.ts';
import { problemFault } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { requestText } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';

const MEGABYTE = 1024 * 1024;
/** More than the buffers of both ends of a connection take. */
const LARGE_LOG = 16 * MEGABYTE;

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await openTestService(
    { NONCE_ACCOUNTS_MIN: '0', LOG_LEVEL: 'info' },
    { constants: { answerTimeoutMs: 3_000 } },
  );
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

test('a second backup is refused while one is under way, with the time to wait, and records nothing', async () => {
  await growLog(service, LARGE_LOG);
  const leaving = new AbortController();
  const first = await askForBackup(service.url, leaving.signal);
  expect(first.status).toBe(200);
  const recorded = service.recorded.length;
  for (let times = 0; times < 5; times += 1) {
    const second = await askForBackup(service.url);
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
    const answer = await askForBackup(service.url, leaving.signal);
    return answer.status === 200 ? answer : undefined;
  });
  await first.body?.getReader().read();
  leaving.abort();
  expect(await wholeBackup(service.url)).toBeGreaterThanOrEqual(LARGE_LOG / EVENT_BYTES);
  expect(service.logged.map(({ msg }) => msg)).toContain('backup cancelled by its caller');
});

test('a copy that a killed process left is removed, and so is that of a backup that has ended', async () => {
  const scratch = join(service.folder, 'backup.partial');
  await mkdir(scratch, { recursive: true });
  await writeFile(join(scratch, 'chain.db'), 'left');
  expect(await wholeBackup(service.url)).toBeGreaterThan(0);
  expect(existsSync(scratch)).toBe(false);
});

test('a caller that stops reading is cut off after a while, so that it keeps nobody from a backup', async () => {
  const { hostname, port } = new URL(service.url);
  const request = requestText('POST', '/operator/backups', { 'x-operator-key': OPERATOR_KEY });
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on('error', () => socket.destroy());
  sockets.push(socket);
  await eventually('its backup has begun', async () => (await askForBackup(service.url)).status === 409);
  expect(await wholeBackup(service.url)).toBeGreaterThanOrEqual(LARGE_LOG / EVENT_BYTES);
});
