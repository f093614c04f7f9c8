/** Effect of backups on the commands of a running service: the built process, on a log of 100 MB. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { operatorEntry } from '../../test/support/operator.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { onLog } from '../measuring/rebuilding.ts';
import { startService } from '../measuring/service.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 9;
const MILLISECONDS = 3_000;
const CONNECTIONS = 32;
/** About a kilobyte each, in streams of another program, which the service ignores. */
const EVENTS = 100_000;
const EVENTS_AT_ONCE = 500;

export const backup: Line = () =>
  inTemporaryFolder(async (folder) => {
    const key = randomBytes(32).toString('hex');
    const environment = {
      RATE_LIMITS: 'off',
      LOCAL_CHAIN_PORT: '0',
      OPERATOR_KEYS: operatorEntry('bench', key),
    };
    // The first event of a log ties it to its seed and its chain.
    await (await startService(folder, environment)).stop();
    await onLog(join(folder, 'levy.db'), async (store) => {
      for (let from = 0; from < EVENTS; from += EVENTS_AT_ONCE) {
        const events = Array.from({ length: EVENTS_AT_ONCE }, (_, index) => ({
          id: randomId(),
          type: 'thing-happened',
          data: { number: from + index, text: 'x'.repeat(900) },
          metadata: {},
        }));
        await store.append(`foreign-${from}`, 'none', events);
      }
    });
    const service = await startService(folder, environment);
    const load = startLoadGenerator();
    const rate = async () => {
      const result = await load.run({
        url: service.url,
        method: 'POST',
        paths: ['/tokens/generate-distribution-wallet'],
        connections: CONNECTIONS,
        warmUpMilliseconds: 300,
        milliseconds: MILLISECONDS,
      });
      return result.rate;
    };
    const sent: number[] = [];
    try {
      const { medians, ratio } = await alternate(ROUNDS, {
        without: rate,
        with: async () => {
          const leaving = new AbortController();
          const began = performance.now();
          const reading = bytesOfBackups(service.url, key, leaving.signal);
          try {
            return await rate();
          } finally {
            leaving.abort();
            sent.push((await reading) / ((performance.now() - began) / 1_000));
          }
        },
      });
      const megabytes = sent.toSorted((one, other) => one - other)[Math.floor(sent.length / 2)] ?? 0;
      return [
        {
          what: `POST /tokens/generate-distribution-wallet from ${CONNECTIONS} connections while a backup is taken / without one`,
          ratio: ratio('with', 'without'),
          target: { atLeast: 0.9 },
          figures: `${written(medians.with)} POST/s, ${written(medians.without)} POST/s; ${written(megabytes / 1e6)} MB/s of backup`,
        },
      ];
    } finally {
      await load.stop();
      await service.stop();
    }
  });

/** Takes backups serially until the signal is aborted. Resolves with their total bytes. */
async function bytesOfBackups(url: string, key: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  try {
    while (!signal.aborted) {
      const { body, status } = await fetch(`${url}/operator/backups`, {
        method: 'POST',
        headers: { 'x-operator-key': key },
        signal,
      });
      if (status === 200 && body !== null) for await (const piece of body) bytes += piece.length;
      else await body?.cancel();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return bytes;
}
