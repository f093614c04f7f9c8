/** A signed-in request with the memory of verified tokens, against verifying the token at every request. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPair } from '../../src/chain/keys.ts';
import { openAccessTokens } from '../../src/http/auth/access-token.ts';
import { createKey } from '../../src/http/auth/signing-key.ts';
import { alternate } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import { type LevyOptions, TOKEN_ISSUER } from '../servers/levy-options.ts';

const ROUNDS = 5;
const MILLISECONDS = 1_000;
const CONNECTIONS = 16;

export const tokenCache: Line = () =>
  inTemporaryFolder(async (folder) => {
    const signingKey = await createKey();
    const accessTokens = await openAccessTokens({
      signingKey,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_ISSUER,
      lifetimeSeconds: 3_600,
      isRevoked: () => false,
      now: Date.now,
    });
    const { token } = await accessTokens.issue(createKeyPair(new Uint8Array(32).fill(1)).address);
    const [cached, verified] = await Promise.all(
      [{}, { cacheCapacity: 0 }].map(async (capacity, number) => {
        const own = join(folder, String(number));
        await mkdir(own);
        const tokens = { signingKey: JSON.stringify(signingKey), ...capacity };
        const options: LevyOptions = { folder: own, tokens };
        return startServer(new URL('../servers/levy.ts', import.meta.url), options);
      }),
    );
    if (cached === undefined || verified === undefined) throw new Error('two servers were to be started');
    const load = startLoadGenerator();
    try {
      const rateOf = (url: string, path: string) => async () => {
        const { rate } = await load.run({
          url,
          method: 'GET',
          paths: [path],
          headers: { authorization: `Bearer ${token}` },
          connections: CONNECTIONS,
          warmUpMilliseconds: 300,
          milliseconds: MILLISECONDS,
        });
        return rate;
      };
      const comparisons: Comparison[] = [];
      const routes = [
        ['/tokens/me', 'GET /tokens/me of a wallet without tokens'],
        ['/caller', 'a signed-in route that does nothing else'],
      ] as const;
      for (const [path, what] of routes) {
        const { medians, ratio } = await alternate(ROUNDS, {
          cached: rateOf(cached.url, path),
          verified: rateOf(verified.url, path),
          open: rateOf(cached.url, '/nothing'),
        });
        const [shared, alone] = [1e6 / medians.cached, 1e6 / medians.verified];
        comparisons.push({
          what: `${what}, tokens remembered / verified each time`,
          ratio: ratio('cached', 'verified'),
          ...(path === '/tokens/me' && { target: { atLeast: 5 } }),
          figures:
            `${written(medians.cached)}/s, ${written(medians.verified)}/s: of ${written(alone)} us a request, ` +
            `${written(alone - shared)} us are the verification; without any sign-in ${written(medians.open)}/s`,
        });
      }
      return comparisons;
    } finally {
      await load.stop();
      await Promise.all([cached.stop(), verified.stop()]);
    }
  });
