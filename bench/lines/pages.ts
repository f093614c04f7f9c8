/** A page deep in a list of a million tokens, against the first. */
import { setTimeout as pause } from 'node:timers/promises';
import { alternate } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { writeTokens } from '../measuring/many-tokens.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const TOKENS = 1_000_000;
const LIMIT = 20;
const DEEP = 40_000;
const ROUNDS = 9;
const MILLISECONDS = 700;
/** So many pages all over the list, most of which no cache holds. */
const SCATTERED = 5_000;

export const pages: Line = {
  name: 'pages',
  run: () =>
    inTemporaryFolder(async (folder) => {
      const start = performance.now();
      await writeTokens(folder, TOKENS);
      const seconds = (performance.now() - start) / 1_000;
      // The disk is still taking in what was written.
      await pause(2_000);
      const server = await startServer(new URL('../servers/levy.ts', import.meta.url), { folder });
      const load = startLoadGenerator();
      try {
        const timeOf = (numbers: readonly number[]) => async () => {
          const { p50 } = await load.run({
            url: server.url,
            method: 'GET',
            paths: numbers.map((page) => `/tokens?page=${page}&limit=${LIMIT}`),
            connections: 1,
            warmUpMilliseconds: 200,
            milliseconds: MILLISECONDS,
          });
          return p50 * 1_000;
        };
        const count = TOKENS / LIMIT;
        const { medians, ratio } = await alternate(ROUNDS, {
          first: timeOf([1]),
          deep: timeOf([DEEP]),
          scattered: timeOf(Array.from({ length: SCATTERED }, (_, index) => 1 + ((index * 7_919) % count))),
        });
        const first = `${written(medians.first)} us`;
        return [
          {
            what: `GET /tokens page ${DEEP} / page 1 of ${TOKENS} tokens, p50 of one connection`,
            ratio: ratio('deep', 'first'),
            target: { atMost: 1.3 },
            figures: `${written(medians.deep)} us, ${first}; written in ${written(seconds)} s`,
          },
          {
            what: 'pages all over the list / page 1',
            ratio: ratio('scattered', 'first'),
            figures: `${written(medians.scattered)} us, ${first}`,
          },
        ];
      } finally {
        await load.stop();
        await server.stop();
      }
    }),
};
