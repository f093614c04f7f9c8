/**
 * Durable commands over HTTP from 32 connections: group commits, compared with one commit per append and with
 * another library's store.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { type LoadGenerator, startLoadGenerator } from '../measuring/load.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_500;
const CONNECTIONS = 32;

const ROUTES = {
  '/notes': JSON.stringify({ text: 'n'.repeat(60) }),
  '/tokens/generate-distribution-wallet': undefined,
} as const;

const STORES = {
  grouped: 'sqlite',
  single: 'sqlite, a commit each',
  emmett: 'emmett',
} as const satisfies Record<string, LevyOptions['store']>;

export const post: Line = () =>
  inTemporaryFolder(async (folder) => {
    const servers = await Promise.all(
      Object.entries(STORES).map(async ([side, store]) => {
        const own = join(folder, side);
        await mkdir(own);
        const options: LevyOptions = { folder: own, store };
        return [side, await startServer(new URL('../servers/levy.ts', import.meta.url), options)] as const;
      }),
    );
    const load = startLoadGenerator();
    const url = Object.fromEntries(servers.map(([side, server]) => [side, server.url]));
    try {
      const comparisons: Comparison[] = [];
      for (const [path, body] of Object.entries(ROUTES)) {
        comparisons.push(...(await compare(load, url, path, body)));
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all(servers.map(([, server]) => server.stop()));
    }
  });

async function compare(
  load: LoadGenerator,
  url: Readonly<Record<string, string>>,
  path: string,
  body: string | undefined,
): Promise<Comparison[]> {
  const rateOf = (side: keyof typeof STORES) => async () => {
    const { rate } = await load.run({
      url: url[side] ?? '',
      method: 'POST',
      paths: [path],
      ...(body !== undefined && { body }),
      connections: CONNECTIONS,
      warmUpMilliseconds: 500,
      milliseconds: MILLISECONDS,
    });
    return rate;
  };
  const { medians, ratio } = await alternate(ROUNDS, {
    grouped: rateOf('grouped'),
    single: rateOf('single'),
    emmett: rateOf('emmett'),
  });
  const ours = `${written(medians.grouped)} POST/s`;
  // The real route spends a quarter of its time on deriving a key, whichever store is used.
  const isBare = path === '/notes';
  return [
    {
      what: `POST ${path}, group commits / a commit for each append`,
      ratio: ratio('grouped', 'single'),
      ...(isBare && { target: { atLeast: 2.5 } }),
      figures: `${ours}, ${written(medians.single)} POST/s`,
    },
    {
      what: `POST ${path} / the same command on emmett-sqlite`,
      ratio: ratio('grouped', 'emmett'),
      ...(isBare && { target: { atLeast: 7 } }),
      figures: `${ours}, ${written(medians.emmett)} POST/s`,
    },
  ];
}
