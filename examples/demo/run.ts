/** Requests a run of the distribution, and follows it step by step: each reported step is checked on the chain. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getMint, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';
import { type DistributionRunDetail, type LevyClient, LevyError } from 'levy-client';
import { type Landed, landedTransaction, tokensGained, tokensHeld } from './chain-record.ts';
import type { CreatedToken } from './creation.ts';
import { steadily } from './steady.ts';
import { hold, sol, sun, tell } from './telling.ts';

type Run = DistributionRunDetail;

/** Milliseconds. */
const LOOK_EVERY = 50;
const RUN_TIMEOUT = 120_000;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

export interface RunWatch {
  readonly connection: Connection;
  readonly levy: LevyClient;
  readonly token: CreatedToken;
  readonly runId: string;
}

/** Requests a run as the operator; resolves when the distributor has opened it. */
export async function requestRun(
  connection: Connection,
  levy: LevyClient,
  token: CreatedToken,
  number: number,
): Promise<RunWatch> {
  const { tokenId } = token;
  try {
    await levy.post('/operator/distributions/{tokenId}/run', {
      params: { path: { tokenId } },
      body: { reason: 'The demo shows a run.' },
    });
  } catch (error) {
    // The response to an earlier attempt was lost, because the run is already open.
    if (!(error instanceof LevyError && error.code === 'RUN_ALREADY_OPEN')) throw error;
  }
  const runId = await poll('the run is opened', async () => {
    const { runs } = await levy.get('/distribution/{tokenId}/runs', { params: { path: { tokenId } } });
    return runs.find((run) => run.number === number)?.runId;
  });
  return { connection, levy, token, runId };
}

export function runWhen(watch: RunWatch, what: string, reached: (run: Run) => boolean): Promise<Run> {
  const { levy, token, runId } = watch;
  return poll(what, async () => {
    const { run } = await levy.get('/distribution/{tokenId}/runs/{runId}', {
      params: { path: { tokenId: token.tokenId, runId } },
    });
    hold(run.status !== 'halted', 'the distribution is not halted');
    return reached(run) ? run : undefined;
  });
}

export function runClosed(watch: RunWatch): Promise<Run> {
  return runWhen(watch, 'the run is closed', ({ status }) => status === 'completed');
}

/** Prints each step as soon as it is final on the chain. */
export async function showRun(watch: RunWatch): Promise<Run> {
  const { connection, token } = watch;
  const supply = await supplyOf(connection, token.mint);
  await showCollected(watch);
  await showSplit(watch, supply);
  await showLedger(watch);
  await showPaying(watch);
  return runClosed(watch);
}

async function showCollected(watch: RunWatch): Promise<void> {
  const run = await runWhen(watch, 'the tax is collected', ({ amounts }) => amounts.collected !== null);
  const { landed, lines } = await lookUp(watch, run.transactions.withdraw);
  const { kept, collected } = run.amounts;
  // A process that is killed after its withdrawal repeats it, so the last withdrawal may move nothing.
  const held = landed.map((each) =>
    tokensHeld(each, watch.token.distributionWallet, watch.token.mint.toBase58()),
  );
  hold(
    held.at(-1) === amount(collected) + amount(kept.developer) + amount(kept.holders),
    'the distribution wallet holds the collected amount',
  );
  tell(
    'Collected: the withheld tax goes to the distribution wallet',
    `${sun(amount(collected))} from 200 accounts`,
    ...lines,
  );
}

async function showSplit(watch: RunWatch, supplyBefore: bigint): Promise<void> {
  const run = await runWhen(watch, 'the tax is burned and sold', ({ amounts }) => amounts.proceeds !== null);
  const { landed, lines } = await lookUp(watch, run.transactions.split);
  const supply = await supplyOf(watch.connection, watch.token.mint);
  const [burned, sold, proceeds] = [run.burned, run.sold, run.proceeds].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const tokens = landed.reduce((sum, each) => sum + inWallet(watch, each, watch.token.mint.toBase58()), 0n);
  const lamports = landed.reduce((sum, each) => sum + inWallet(watch, each, WRAPPED_SOL), 0n);
  hold(supplyBefore - supply === burned, 'the supply has decreased by the burned amount');
  hold(-tokens === burned + sold, 'the distribution wallet spent the burned and sold amounts');
  hold(lamports === proceeds, 'the distribution wallet received the proceeds of the sale');
  tell(
    'Burned and sold, in one transaction',
    `burned ${sun(burned)}: the supply falls from ${sun(supplyBefore)} to ${sun(supply)}`,
    `sold   ${sun(sold)} to the operator's desk for ${sol(proceeds)}`,
    ...lines,
  );
}

async function showLedger(watch: RunWatch): Promise<void> {
  const { ledger, amounts } = await runWhen(
    watch,
    'it is decided who gets what',
    (run) => run.ledger !== null,
  );
  tell(
    'Decided who gets how much, and published before anything is paid',
    `${ledger?.records} records, together ${sol(amount(amounts.planned))}, root ${ledger?.root}`,
  );
}

async function showPaying(watch: RunWatch): Promise<void> {
  const opened = await runWhen(
    watch,
    'the pots are open',
    ({ transactions }) => transactions.open.length > 0,
  );
  const { lines } = await lookUp(watch, opened.transactions.open);
  tell(
    `The money is put into ${opened.pots.length} pots, accounts that can pay no more than was decided`,
    ...opened.pots.map(({ address, allowance }) => `${address} may pay ${sol(BigInt(allowance))}`),
    ...lines,
  );
}

/** Transactions as finally recorded by the chain. */
async function lookUp({ connection }: RunWatch, signatures: readonly string[]) {
  const landed: Landed[] = [];
  for (const signature of signatures) landed.push(await landedTransaction(connection, signature));
  return { landed, lines: landed.map(({ signature, slot }) => `slot ${slot}: ${signature}`) };
}

function inWallet({ token }: RunWatch, landed: Landed, mint: string): bigint {
  return tokensGained(landed, token.distributionWallet, mint);
}

async function supplyOf(connection: Connection, mint: PublicKey): Promise<bigint> {
  return (await steadily(() => getMint(connection, mint, 'finalized', TOKEN_2022_PROGRAM_ID))).supply;
}

function amount(digits: string | null): bigint {
  return BigInt(digits ?? '0');
}

async function poll<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (const until = performance.now() + RUN_TIMEOUT; performance.now() < until; ) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_EVERY);
  }
  throw new Error(`waited too long until ${what}`);
}
