/**
 * The most frequent reads besides the list of tokens, compared with a bare Fastify route that sends the same object
 * from memory.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Line, requestComparison, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { writePromotedTokens } from '../measuring/promoted-tokens.ts';
import { alternateRequests } from '../measuring/requests.ts';
import { openSession } from '../measuring/session.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { BareOptions } from '../servers/bare-options.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const ROUNDS = 7;
const MILLISECONDS = 1_000;
const CONNECTIONS = 16;
const PROMOTIONS = 10;
const TARGET = { atLeast: 0.7 };
/** Waits until the read models are built from the log. */
const TRIES = 100;
const PAUSE = 50;

export const reads: Line = () =>
  inTemporaryFolder(async (folder) => {
    const { wallet, signingKey, headers } = await openSession();
    const [tokenId] = await writePromotedTokens(folder, { count: PROMOTIONS, creator: wallet });
    const settingsPath = `/distribution/${tokenId}/settings`;
    const options: LevyOptions = { folder, tokens: { signingKey } };
    const levy = await startServer(new URL('../servers/levy.ts', import.meta.url), options);
    const featured = await bodyOf(levy, '/featured', headers);
    const settings = await bodyOf(levy, settingsPath, headers);
    const bareOptions: BareOptions = { featured: JSON.parse(featured), settings: JSON.parse(settings) };
    const bare = await startServer(new URL('../servers/bare.ts', import.meta.url), bareOptions);
    const load = startLoadGenerator();
    try {
      const asked = (server: ServerProcess, path: string, own: Readonly<Record<string, string>> = {}) => ({
        server,
        method: 'GET' as const,
        paths: [path],
        headers: own,
        connections: CONNECTIONS,
        warmUpMilliseconds: 300,
        milliseconds: MILLISECONDS,
      });
      for (const [path, body] of [
        ['/featured', featured],
        [settingsPath, settings],
      ] as const) {
        // The bare route writes fields in the order of its schema.
        if (!isDeepStrictEqual(JSON.parse(await bodyOf(bare, path, headers)), JSON.parse(body)))
          throw new Error(`${path} is not the same on both sides`);
      }
      const list = await alternateRequests(ROUNDS, load, {
        ours: asked(levy, '/featured'),
        bare: asked(bare, '/featured'),
      });
      const one = await alternateRequests(ROUNDS, load, {
        ours: asked(levy, settingsPath, headers),
        bare: asked(bare, settingsPath, headers),
        caller: asked(levy, '/caller', headers),
        nothing: asked(levy, '/nothing', headers),
      });
      const microseconds = (side: 'ours' | 'bare' | 'caller' | 'nothing') => 1e6 / one.work.medians[side];
      const ofSettings = requestComparison(
        `GET /distribution/:tokenId/settings, signed in / a bare Fastify route with the same body (${settings.length} bytes)`,
        one,
        ['ours', 'bare'],
        TARGET,
      );
      return [
        requestComparison(
          `GET /featured, ${PROMOTIONS} promotions / a bare Fastify route with the same body (${featured.length} bytes)`,
          list,
          ['ours', 'bare'],
          TARGET,
        ),
        {
          ...ofSettings,
          figures:
            `${ofSettings.figures} (${written(microseconds('ours'))} us, ${written(microseconds('bare'))} us; ` +
            `${written(microseconds('caller') - microseconds('nothing'))} us of it for the sign-in)`,
        },
      ];
    } finally {
      await load.stop();
      await Promise.all([levy.stop(), bare.stop()]);
    }
  });

/** Rejects unless the response is eventually 200. */
async function bodyOf(
  { url }: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url + path, { headers });
    const body = await response.text();
    if (response.status === 200) return body;
    if (tries === TRIES) throw new Error(`${path} answers ${response.status}: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
