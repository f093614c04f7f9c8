/** Asks a running service for backups, as `levy backup` does. */
import { partsOf } from '../../src/operations/archive/frames.ts';
import { eventually } from './eventually.ts';
import { OPERATOR_KEY } from './operator.ts';

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
  let events = 0;
  if (response.body === null) throw new Error('no body');
  for await (const part of partsOf(response.body)) if (part.kind === 'end') events = part.end.events;
  return events;
}
