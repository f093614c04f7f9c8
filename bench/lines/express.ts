/** A page of the list, against an Express 4 application that answers the same documents with `res.json`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { writeTokens } from '../measuring/many-tokens.ts';
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
        const rateOf = (url: string, path: string) => async () => {
          const { rate } = await load.run({
            url,
            method: 'GET',
            paths: [1, 2, 3, 4, 5].map((page) => `${path}?page=${page}&limit=${limit}`),
            connections: CONNECTIONS,
            warmUpMilliseconds: 300,
            milliseconds: MILLISECONDS,
          });
          return rate;
        };
        const { medians, ratio } = await alternate(ROUNDS, {
          ours: rateOf(ours.url, '/tokens'),
          stored: rateOf(theirs.url, '/stored'),
          memory: rateOf(theirs.url, '/memory'),
        });
        const rate = `${written(medians.ours)} pages/s`;
        comparisons.push(
          {
            what: `GET /tokens?limit=${limit} / Express 4 \`res.json\`, documents from the same store`,
            ratio: ratio('ours', 'stored'),
            target: { atLeast: 5 },
            figures: `${rate}, ${written(medians.stored)} pages/s`,
          },
          {
            what: `the same / Express 4 \`res.json\` of objects that are in memory`,
            ratio: ratio('ours', 'memory'),
            figures: `${rate}, ${written(medians.memory)} pages/s`,
          },
        );
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all([ours.stop(), theirs.stop()]);
    }
  });
