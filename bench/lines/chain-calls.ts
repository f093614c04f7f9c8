/**
 * Calls to the chain's node for a token, from create-unsigned until everything about the token is final. A proxy in
 * front of the embedded chain counts them by method. Compared with the limits of public nodes.
 */
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import { cleanUp } from '../../test/support/after-the-file.ts';
import { openChainProxy } from '../../test/support/chain-proxy.ts';
import { type Creator, fund, openCreator } from '../../test/support/creator.ts';
import { OPERATOR_KEY, OPERATOR_NAME, operatorEntry } from '../../test/support/operator.ts';
import { secretsIn } from '../../test/support/secret-files.ts';
import { nonceAccountsAreThere } from '../measuring/flow-load.ts';
import type { Comparison, Line } from '../measuring/line.ts';
import { startService } from '../measuring/service.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

/** Limit of mainnet's public nodes for one address: calls of one method in ten seconds. */
const ALLOWED = 40;
const WINDOW_MILLISECONDS = 10_000;
const GOAL = 30;
const NONCE_ACCOUNTS = 12;
const AT_ONCE = [1, 6];
const SOL = 20;

interface Call {
  readonly method: string;
  readonly at: number;
}

export const chainCalls: Line = () =>
  inTemporaryFolder(async (folder) => {
    const chain = await openLocalChain({ dataDir: join(folder, 'chain') });
    const proxy = await openChainProxy(chain.url);
    const calls: Call[] = [];
    proxy.treat(({ method }) => {
      calls.push({ method, at: performance.now() });
      return undefined;
    });
    const { keyring } = await secretsIn(folder);
    await fund(chain.url, keyring.feePayer.address, 10_000_000_000);
    const service = await startService(folder, {
      CHAIN_URL: proxy.url,
      PUBLIC_URL: 'https://levy.example.com',
      RATE_LIMITS: 'off',
      NONCE_ACCOUNTS_MIN: String(NONCE_ACCOUNTS),
      OPERATOR_KEYS: operatorEntry(OPERATOR_NAME, OPERATOR_KEY),
    });
    try {
      await nonceAccountsAreThere(service.url, NONCE_ACCOUNTS);
      const creator = await openCreator({ url: service.url, chainUrl: chain.url }, { sol: SOL });
      const comparisons: Comparison[] = [];
      for (const count of AT_ONCE) {
        const inputs = await Promise.all(Array.from({ length: count }, () => creator.tokenInput()));
        calls.length = 0;
        for (const drafted of chunks(inputs, 3))
          await Promise.all(drafted.map((input) => creator.createToken(input)));
        await untilAllIsFinal(creator);
        const each = calls.length / count;
        const [busiest, most] = maxInAWindow(calls);
        comparisons.push(
          {
            what: `calls to the node for a token, ${count === 1 ? 'alone' : `${count} concurrent`}`,
            ratio: each,
            target: { atMost: GOAL },
            figures: byMethod(calls),
          },
          {
            what: `calls of one method within ten seconds / allowed, ${count === 1 ? 'one token' : `${count} concurrent`}`,
            ratio: most / ALLOWED,
            target: { atMost: 1 },
            figures: `${most} of ${busiest}; public nodes allow ${ALLOWED}`,
          },
        );
      }
      return comparisons;
    } finally {
      await service.stop();
      await chain.close();
      await cleanUp();
    }
  });

/** Maximum number of open drafts per wallet. */
function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Calls only routes that do not call the chain. */
async function untilAllIsFinal(creator: Creator): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const { body } = await creator.call<{ nonceAccounts: readonly unknown[] }>(
      'GET',
      '/operator/nonce-accounts?state=leased',
      { headers: { 'x-operator-key': OPERATOR_KEY } },
    );
    if (body.nonceAccounts.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('the tokens did not become final in time');
}

function byMethod(calls: readonly Call[]): string {
  return [...countsOf(calls)].map(([method, count]) => `${method} ${count}`).join(', ');
}

function countsOf(calls: readonly Call[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function maxInAWindow(calls: readonly Call[]): readonly [string, number] {
  let found: readonly [string, number] = ['none', 0];
  for (const [index, { at }] of calls.entries()) {
    const within = calls.slice(index).filter((call) => call.at < at + WINDOW_MILLISECONDS);
    const [busiest] = countsOf(within);
    if (busiest !== undefined && busiest[1] > found[1]) found = busiest;
  }
  return found;
}
