/** A late page of a list of a million tokens, compared with the first page. */
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
/** Number of different pages that are read in rotation, because the read model caches recently read pages. */
const DIFFERENT = 1_000;

export const pages: Line = () =>
  inTemporaryFolder(async (folder) => {
    const start = performance.now();
    await writeTokens(folder, TOKENS);
    const seconds = (performance.now() - start) / 1_000;
    // The disk is still writing.
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
      const from = (first: number, step = 1) =>
        Array.from({ length: DIFFERENT }, (_, index) => 1 + ((first - 1 + index * step) % count));
      const { medians, ratio } = await alternate(ROUNDS, {
        first: timeOf(from(1)),
        deep: timeOf(from(DEEP)),
        scattered: timeOf(from(1, 7_919)),
        kept: timeOf([1]),
      });
      const first = `${written(medians.first)} us`;
      return [
        {
          what: `GET /tokens page ${DEEP} and later / page 1 and later, of ${TOKENS} tokens: p50 of one connection, ${DIFFERENT} different pages`,
          ratio: ratio('deep', 'first'),
          target: { atMost: 1.3 },
          figures: `${written(medians.deep)} us, ${first}; written in ${written(seconds)} s`,
        },
        {
          what: 'random pages of the list / page 1 and later',
          ratio: ratio('scattered', 'first'),
          figures: `${written(medians.scattered)} us, ${first}`,
        },
        {
          what: 'page 1 repeatedly / page 1 and later',
          ratio: ratio('kept', 'first'),
          figures: `${written(medians.kept)} us, ${first}`,
        },
      ];
    } finally {
      await load.stop();
      await server.stop();
    }
  });
