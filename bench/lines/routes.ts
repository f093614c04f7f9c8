/**
 * Processor time of every public GET route of the built service, compared with `/health`: the cost that one
 * connection can cause for all others.
 */
import type { AnyQuery } from '../../src/kernel/runtime/define-query.ts';
import { queries } from '../../src/queries/index.ts';
import { type Creator, openCreator } from '../../test/support/creator.ts';
import { nonceAccountsAreThere } from '../measuring/flow-load.ts';
import { type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { alternateRequests } from '../measuring/requests.ts';
import { type RunningService, startService } from '../measuring/service.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 3;
const MILLISECONDS = 500;
const CONNECTIONS = 16;
/** Maximum for routes without a rate limit. */
const TARGET = { atMost: 2 };
const TRIES = 100;
const PAUSE = 100;

/** Pages and files that do not come from a query. None of them is rate-limited. */
const PAGES = [
  '/docs/',
  '/docs/static/swagger-ui-bundle.js',
  '/docs/guides.json',
  '/docs/guides/README.md',
  '/docs/errors/',
  '/docs/errors/RATE_LIMITED',
  '/console/',
];

interface Measured {
  readonly path: string;
  readonly isLimited: boolean;
}

export const routes: Line = () =>
  inTemporaryFolder(async (folder) => {
    const environment = { RATE_LIMITS: 'off', NONCE_ACCOUNTS_MIN: '3', LOCAL_CHAIN_PORT: '0' };
    const service = await startService(folder, environment);
    const load = startLoadGenerator();
    try {
      await nonceAccountsAreThere(service.url, 3);
      const measured = await answered(service.url, await pathsOf(service));
      const asked = (path: string) => ({
        server: { ...service, tell: () => undefined, ask: async () => undefined },
        method: 'GET' as const,
        paths: [path],
        headers: { 'accept-encoding': 'gzip' },
        connections: CONNECTIONS,
        warmUpMilliseconds: 100,
        milliseconds: MILLISECONDS,
      });
      const comparisons = [];
      for (const { path, isLimited } of measured) {
        const { work } = await alternateRequests(ROUNDS, load, {
          health: asked('/health'),
          route: asked(path),
        });
        comparisons.push({
          what: `GET ${path.replace(/[1-9A-HJ-NP-Za-km-z]{32,}|bafkrei\w+|[0-9a-f-]{36}/, ':id')} / /health, by processor time`,
          ratio: work.ratio('health', 'route'),
          ...(isLimited ? {} : { target: TARGET }),
          figures: `${written(1e6 / work.medians.route)} us, ${written(1e6 / work.medians.health)} us${isLimited ? '; limited' : ''}`,
        });
      }
      return comparisons;
    } finally {
      await load.stop();
      await service.stop();
    }
  });

/** Lists the routes of a service with one token, except streams and routes that need more than the token. */
async function pathsOf(service: RunningService): Promise<readonly Measured[]> {
  const creator: Creator = await openCreator(service, { sol: 5 });
  const { mintAddress, token } = await creator.createToken({});
  const { imageCid } = await creator.upload();
  const values: { readonly [parameter: string]: string } = { mintAddress, tokenId: token.id };
  const fileOf = (query: AnyQuery<never>) =>
    query.name === 'GetImage' ? `${imageCid}.jpg` : `${mintAddress}.json`;
  const ofQueries = queries
    .filter(({ route }) => route.method === 'GET' && ['none', 'optional'].includes(route.auth))
    .filter(({ route }) => !route.resumes && route.url !== '/health')
    .map((query) => ({
      path: query.route.url.replace(/:(\w+)/g, (parameter, name: string) =>
        name === 'file' ? fileOf(query) : (values[name] ?? parameter),
      ),
      isLimited: query.route.limit !== 'none',
    }));
  return [...ofQueries, ...PAGES.map((path) => ({ path, isLimited: false }))].filter(
    ({ path }) => !path.includes(':'),
  );
}

/** The paths that return 200 once the read models include the token. */
async function answered(url: string, paths: readonly Measured[]): Promise<readonly Measured[]> {
  const found: Measured[] = [];
  for (const each of paths) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const response = await fetch(url + each.path);
      await response.arrayBuffer();
      if (response.status === 200) found.push(each);
      if (response.status !== 503) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  return found;
}
