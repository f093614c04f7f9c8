/**
 * Runs a creator, 200 traders and an operator against the real service: from an empty wallet to a tax that is paid to
 * the holders exactly once, although the service is killed during the payments. The data folder remains, for `npm
 * start`. With `--stay` the wallets keep trading, and their tax is distributed, until Ctrl-C.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Connection, Keypair } from '@solana/web3.js';
import { createLevyClient } from 'levy-client';
import { type Accounts, balancesBefore, showEquations, showPaidOnce } from './accounting.ts';
import { readPublished } from './bus.ts';
import { type CreatedToken, createToken } from './creation.ts';
import { demoEnvironment } from './environment.ts';
import { requestRun, runClosed, runWhen, showRun } from './run.ts';
import { steadily, steadyFetch } from './steady.ts';
import { type SupervisedService, superviseService } from './supervised-service.ts';
import { hold, tell } from './telling.ts';
import { giveTokens, keepTrading, type Traders, trade } from './trading.ts';
import { verifyOffline } from './verifying.ts';

interface Stage {
  readonly service: SupervisedService;
  readonly environment: NodeJS.ProcessEnv;
  readonly operatorKey: string;
  readonly folder: string;
}

async function play({ service, environment, operatorKey, folder }: Stage): Promise<void> {
  const connection = new Connection(service.chainUrl, 'confirmed');
  tell('The service runs', `API on ${service.url}`, `Solana JSON-RPC on ${service.chainUrl}`);
  const levy = createLevyClient({ baseUrl: service.url, fetch: steadyFetch });
  const operator = createLevyClient({ baseUrl: service.url, fetch: steadyFetch, operatorKey });
  const creator = Keypair.generate();
  const token = await createToken(connection, levy, creator, KEEPS_TRADING ? '5m' : '1h');
  const traders = await giveTokens(connection, creator, token.mint);
  await trade(connection, traders, { amount: 900_000_000_000n, distance: 1 });

  const { tokenId } = token;
  const wallets = traders.wallets.map(({ keys }) => keys.publicKey);
  const accounts: Accounts = { connection, levy: operator, tokenId, creator: creator.publicKey, wallets };
  await distribute(accounts, token, folder);
  await distributeThoughKilled(accounts, token, traders, service);
  const { PUBLISHER_URL: bus } = environment;
  if (bus) await showPublished(bus, environment, token.mint.toBase58());
  if (KEEPS_TRADING) await stay(connection, traders, service.url, operatorKey);
}

/** Keeps the wallets trading until Ctrl-C. */
async function stay(
  connection: Connection,
  traders: Traders,
  url: string,
  operatorKey: string,
): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  tell(
    'The wallets keep trading, and a run distributes their tax every five minutes. Press Ctrl-C to stop.',
    `console: ${url}/console/`,
    `operator: ${url}/console/operate#key=${operatorKey}`,
  );
  await keepTrading(connection, traders, ending.signal);
}

async function distribute(accounts: Accounts, token: CreatedToken, folder: string): Promise<void> {
  const { connection, levy, wallets, tokenId } = accounts;
  const before = await balancesBefore(accounts);
  const watch = await requestRun(connection, levy, token, 1);
  tell('The operator requests a run; otherwise one opens every hour', `run ${watch.runId}`);
  const closed = await showRun(watch);
  await showPaidOnce(accounts, closed, before);
  showEquations(closed);
  const someone = wallets[0]?.toBase58() ?? '';
  await verifyOffline(levy, tokenId, closed, someone, join(folder, 'saved'));
}

async function distributeThoughKilled(
  accounts: Accounts,
  token: CreatedToken,
  traders: Traders,
  service: SupervisedService,
): Promise<void> {
  const { connection, levy } = accounts;
  await trade(connection, traders, { amount: 400_000_000_000n, distance: 7 });
  const before = await balancesBefore(accounts);
  const watch = await requestRun(connection, levy, token, 2);
  const paying = await runWhen(watch, 'some wallets are paid', ({ paymentCount }) => paymentCount > 0);
  tell(
    'A second run; the service is killed during its payments (kill -9)',
    `${paying.paymentCount} of ${paying.ledger?.records} payments were final so far`,
  );
  service.kill();
  const closed = await runClosed(watch);
  tell(
    'After its restart the service has finished the run',
    `run ${closed.runId}, closed at ${closed.closedAt}`,
  );
  await showPaidOnce(accounts, closed, before);
  showEquations(closed);
}

async function showPublished(
  url: string,
  { PUBLISHER_STREAM: stream = '', CA_FILE: caFile }: NodeJS.ProcessEnv,
  mintAddress: string,
): Promise<void> {
  const published = await steadily(async () => {
    const found = await readPublished(url, stream, caFile);
    if (!found.some(({ subject }) => subject.endsWith('tokens.created'))) throw new Error('not yet');
    return found;
  });
  hold(new Set(published.map(({ id }) => id)).size === published.length, 'every event is published once');
  tell(`Published on NATS, in the stream ${stream}`, ...published.map(({ subject }) => subject), mintAddress);
}

const KEEPS_TRADING = process.argv.includes('--stay');

/** Replaced by the next demo. */
const DEFAULT_FOLDER = 'demo-data';

async function main(): Promise<void> {
  const { DEMO_DIR: given } = process.env;
  const folder = resolve(given ?? DEFAULT_FOLDER);
  // A folder that the user chose must not be deleted.
  if (given === undefined) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const operatorKey = randomBytes(32).toString('hex');
  const environment = await demoEnvironment(folder, operatorKey, KEEPS_TRADING ? '3000' : '0');
  const service = await superviseService(environment, (how) =>
    tell(`The service ended (${how}); its supervisor starts it again`),
  );
  try {
    await play({ service, environment, operatorKey, folder });
  } finally {
    const code = await service.stop();
    hold(code === 0, `the service ends with 0 after SIGTERM (it ended with ${code})`);
  }
  const isEmbedded = process.env.EVENT_STORE_URL === undefined && process.env.READ_MODEL_URL === undefined;
  tell(
    'Stopped cleanly; everything held.',
    ...(isEmbedded
      ? [
          `To see the token, its runs and proofs in the console: DATA_DIR=${given ?? DEFAULT_FOLDER} npm start`,
        ]
      : []),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(
    `\nthe demo failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
