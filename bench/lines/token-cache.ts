/** A signed-in request with the memory of verified tokens, against verifying the token at every request. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Comparison, type Line, requestComparison, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { alternateRequests } from '../measuring/requests.ts';
import { openSession } from '../measuring/session.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const CONNECTIONS = 16;

export const tokenCache: Line = () =>
  inTemporaryFolder(async (folder) => {
    const { signingKey, headers } = await openSession();
    const [cached, verified] = await Promise.all(
      [{}, { cacheCapacity: 0 }].map(async (capacity, number) => {
        const own = join(folder, String(number));
        await mkdir(own);
        const tokens = { signingKey, ...capacity };
        const options: LevyOptions = { folder: own, tokens };
        return startServer(new URL('../servers/levy.ts', import.meta.url), options);
      }),
    );
    if (cached === undefined || verified === undefined) throw new Error('two servers were to be started');
    const load = startLoadGenerator();
    try {
      const asked = (server: ServerProcess, path: string) => ({
        server,
        method: 'GET' as const,
        paths: [path],
        headers,
        connections: CONNECTIONS,
        warmUpMilliseconds: 300,
        milliseconds: MILLISECONDS,
      });
      const comparisons: Comparison[] = [];
      const routes = [
        ['/tokens/me', 'GET /tokens/me of a wallet without tokens', { atLeast: 5 }],
        ['/caller', 'a signed-in route that does nothing else', undefined],
      ] as const;
      for (const [path, what, target] of routes) {
        const requests = await alternateRequests(ROUNDS, load, {
          cached: asked(cached, path),
          verified: asked(verified, path),
          open: asked(cached, '/nothing'),
        });
        const microseconds = (side: 'cached' | 'verified' | 'open') =>
          `${written(1e6 / requests.work.medians[side])} us`;
        const comparison = requestComparison(
          `${what}, tokens remembered / verified each time`,
          requests,
          ['cached', 'verified'],
          target,
        );
        comparisons.push({
          ...comparison,
          figures:
            `${comparison.figures} (${microseconds('cached')}, ${microseconds('verified')}; ` +
            `${microseconds('open')} without any sign-in)`,
        });
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all([cached.stop(), verified.stop()]);
    }
  });
