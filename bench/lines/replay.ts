/** A repeated call under its Idempotency-Key, compared with the first call. */
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Comparison, type Line, requestComparison } from '../measuring/line.ts';
import { type LoadJob, SERIAL, startLoadGenerator } from '../measuring/load.ts';
import { type AskedAnew, alternateRequests } from '../measuring/requests.ts';
import { openSession } from '../measuring/session.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const CONNECTIONS = 32;
const TEXT = 'n'.repeat(60);

/** A stream named after the key, as for a draft, and one named by the request, as for a token. */
const ROUTES = [
  { path: '/own-notes', body: { text: TEXT }, what: 'the key names the stream' },
  { path: '/named-notes', body: { name: SERIAL, text: TEXT }, what: 'the key has its own stream' },
] as const;

export const replay: Line = () =>
  inTemporaryFolder(async (folder) => {
    const { signingKey, headers } = await openSession();
    const options: LevyOptions = { folder, tokens: { signingKey } };
    const server = await startServer(new URL('../servers/levy.ts', import.meta.url), options);
    const load = startLoadGenerator();
    try {
      const comparisons: Comparison[] = [];
      for (const { path, body, what } of ROUTES) {
        const requests = await alternateRequests(ROUNDS, load, callsOf(server, path, body, headers));
        comparisons.push(
          requestComparison(`POST again under its Idempotency-Key / the first time (${what})`, requests, [
            'again',
            'first',
          ]),
        );
      }
      return comparisons;
    } finally {
      await load.stop();
      await server.stop();
    }
  });

function callsOf(
  server: ServerProcess,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<'first' | 'again', AskedAnew>> {
  let recorded = 0;
  const asked = (serials: LoadJob['serials'] & object) => ({
    server,
    method: 'POST' as const,
    paths: [path],
    headers: { ...headers, 'idempotency-key': SERIAL },
    body: JSON.stringify(body),
    serials,
    connections: CONNECTIONS,
    warmUpMilliseconds: 200,
    milliseconds: MILLISECONDS,
  });
  return {
    first: {
      asked: () => asked({ first: recorded }),
      answered: (answers) => {
        recorded += answers;
      },
    },
    again: { asked: () => asked({ first: 0, count: recorded }), answered: () => {} },
  };
}
