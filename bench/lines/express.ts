/**
 * A page of the list of tokens, compared with an Express 4 application that sends the same documents with
 * `res.json`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Comparison, type Line, requestComparison } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { writeTokens } from '../measuring/many-tokens.ts';
import { alternateRequests } from '../measuring/requests.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const CONNECTIONS = 16;
const TOKENS = 10_000;

export const express: Line = () =>
  inTemporaryFolder(async (folder) => {
    const [ours, theirs] = await Promise.all(
      ['levy', 'express'].map(async (name) => {
        const own = join(folder, name);
        await mkdir(own);
        await writeTokens(own, TOKENS);
        return startServer(new URL(`../servers/${name}.ts`, import.meta.url), { folder: own });
      }),
    );
    if (ours === undefined || theirs === undefined) throw new Error('two servers were to be started');
    const load = startLoadGenerator();
    try {
      const comparisons: Comparison[] = [];
      for (const limit of [20, 100]) {
        const asked = (server: ServerProcess, path: string) => ({
          server,
          method: 'GET' as const,
          paths: [1, 2, 3, 4, 5].map((page) => `${path}?page=${page}&limit=${limit}`),
          connections: CONNECTIONS,
          warmUpMilliseconds: 300,
          milliseconds: MILLISECONDS,
        });
        const rates = await alternateRequests(ROUNDS, load, {
          ours: asked(ours, '/tokens'),
          stored: asked(theirs, '/stored'),
          memory: asked(theirs, '/memory'),
        });
        comparisons.push(
          requestComparison(
            `GET /tokens?limit=${limit} / Express 4 \`res.json\`, documents from the same store`,
            rates,
            ['ours', 'stored'],
            { atLeast: 5 },
          ),
          requestComparison('the same / Express 4 `res.json` of objects that are in memory', rates, [
            'ours',
            'memory',
          ]),
        );
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all([ours.stop(), theirs.stop()]);
    }
  });
