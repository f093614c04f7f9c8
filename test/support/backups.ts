/** Asks a running service for backups, as `levy backup` does, of a log that is large enough. */
import { randomUUID } from 'node:crypto';
import { entriesIn } from '../../src/operations/archive/tar.ts';
import { eventually } from './eventually.ts';
import { OPERATOR_KEY } from './operator.ts';
import type { TestService } from './service.ts';

/** Size of each appended event. */
export const EVENT_BYTES = 128 * 1024;

/** In a stream of another program, which the service's own loops leave alone. */
export async function growLog(service: TestService, bytes: number): Promise<void> {
  const stream = `foreign-${randomUUID()}`;
  for (let count = 0; count < bytes / EVENT_BYTES; count += 1) {
    const data = { count, text: 'x'.repeat(EVENT_BYTES) };
    const event = { id: randomUUID(), type: 'thing-happened', data, metadata: {} };
    await service.append(stream, count === 0 ? 'none' : count - 1, [event]);
  }
}

export function askForBackup(url: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/operator/backups`, {
    method: 'POST',
    headers: { 'x-operator-key': OPERATOR_KEY },
    ...(signal && { signal }),
  });
}

/** Reads a backup to its end; resolves with the events that it says it has. */
export async function wholeBackup(url: string): Promise<number> {
  const response = await eventually('the backup before has ended', async () => {
    const answer = await askForBackup(url);
    if (answer.status === 200) return answer;
    await answer.body?.cancel();
    return undefined;
  });
  if (response.body === null) throw new Error('no body');
  let info = '';
  for await (const { path, chunks } of entriesIn(response.body))
    for await (const piece of chunks) if (path === 'backup.json') info += Buffer.from(piece).toString();
  return JSON.parse(info).events;
}
