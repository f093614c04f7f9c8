/** Cost of counting each caller's calls when no limit is ever reached. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Comparison, type Line, requestComparison } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { writeTokens } from '../measuring/many-tokens.ts';
import { alternateRequests } from '../measuring/requests.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const ROUNDS = 7;
const MILLISECONDS = 1_000;
const CONNECTIONS = 16;
const TOKENS = 1_000;

const PATHS = [
  ['/tokens?limit=20', 'GET /tokens?limit=20', { atLeast: 0.9 }],
  ['/nothing', 'a GET that does nothing else', undefined],
] as const;

export const rateLimits: Line = () =>
  inTemporaryFolder(async (folder) => {
    const [on, off] = await Promise.all(
      [{ rateLimits: 'never used up' } as const, {}].map(async (limits, number) => {
        const own = join(folder, String(number));
        await mkdir(own);
        await writeTokens(own, TOKENS);
        const options: LevyOptions = { folder: own, ...limits };
        return startServer(new URL('../servers/levy.ts', import.meta.url), options);
      }),
    );
    if (on === undefined || off === undefined) throw new Error('two servers were to be started');
    const load = startLoadGenerator();
    try {
      const comparisons: Comparison[] = [];
      for (const [path, what, target] of PATHS) {
        const asked = (server: ServerProcess) => ({
          server,
          method: 'GET' as const,
          paths: [path],
          connections: CONNECTIONS,
          warmUpMilliseconds: 100,
          milliseconds: MILLISECONDS,
        });
        const requests = await alternateRequests(ROUNDS, load, { on: asked(on), off: asked(off) });
        comparisons.push(
          requestComparison(`${what}, calls limited / not limited`, requests, ['on', 'off'], target),
        );
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all([on.stop(), off.stop()]);
    }
  });
