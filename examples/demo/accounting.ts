/** Checks a closed run against the chain: each wallet got the amount in the ledger, once, and every equation holds. */
import type { Connection, PublicKey } from '@solana/web3.js';
import type { DistributionPayment, DistributionRunDetail, LevyClient } from 'levy-client';
import { lamportsOf, landedTransaction } from './chain-record.ts';
import { hold, sol, sun, tell } from './telling.ts';

const PAYMENTS_PER_PAGE = 1_000;

export interface Accounts {
  readonly connection: Connection;
  readonly levy: LevyClient;
  readonly tokenId: string;
  /** The creator is also paid as the developer. */
  readonly creator: PublicKey;
  readonly wallets: readonly PublicKey[];
}

/** Balances before the run, after the confirmed trades; no wallet spends during the run. */
export function balancesBefore({ connection, creator, wallets }: Accounts) {
  return lamportsOf(connection, [creator, ...wallets], 'confirmed');
}

export async function showPaidOnce(
  accounts: Accounts,
  run: DistributionRunDetail,
  before: ReadonlyMap<string, bigint>,
): Promise<void> {
  const { connection, creator, wallets } = accounts;
  const after = await lamportsOf(connection, [creator, ...wallets], 'finalized');
  const payments = await allPayments(accounts, run.runId);
  const inLedger = new Map<string, bigint>();
  for (const { wallet, paid } of payments) inLedger.set(wallet, (inLedger.get(wallet) ?? 0n) + BigInt(paid));
  let received = 0n;
  for (const [wallet, lamports] of after) {
    const gained = lamports - (before.get(wallet) ?? 0n);
    hold(gained > 0n, `${wallet} was paid`);
    hold(
      gained === inLedger.get(wallet),
      `${wallet} got the ${inLedger.get(wallet)} lamports of the ledger, not ${gained}`,
    );
    received += gained;
  }
  const signatures = new Set(payments.flatMap(({ signature }) => signature ?? []));
  for (const signature of signatures) await landedTransaction(connection, signature);
  const byDeveloper = payments.find(
    ({ kind, wallet }) => kind === 'developer' && wallet === creator.toBase58(),
  );
  hold(byDeveloper?.paid === run.amounts.developer, "the developer got the developer's part");
  const paidWallets = wallets.map((wallet) => inLedger.get(wallet.toBase58()) ?? 0n);
  const least = paidWallets.reduce((one, other) => (one < other ? one : other));
  const most = paidWallets.reduce((one, other) => (one > other ? one : other));
  tell(
    `${wallets.length} wallets and the developer have their SOL: each balance on the chain grew by the amount in the ledger, once`,
    `developer ${sol(BigInt(byDeveloper?.paid ?? '0'))}`,
    `wallets   ${sol(least)} to ${sol(most)} each, in ${signatures.size} final transactions`,
    `together  ${sol(received)}; wallets paid too often: 0, too little: 0`,
  );
}

async function allPayments(
  { levy, tokenId }: Pick<Accounts, 'levy' | 'tokenId'>,
  runId: string,
): Promise<readonly DistributionPayment[]> {
  const answer = await levy.get('/distribution/{tokenId}/runs/{runId}/payments', {
    params: { path: { tokenId, runId }, query: { limit: PAYMENTS_PER_PAGE } },
  });
  if (typeof answer === 'string') throw new Error('the payments are JSON, not CSV');
  const { payments, next } = answer;
  hold(next === null, 'all payments fit on one page');
  return payments;
}

/** The four equations of a run, with the numbers of this run. */
export function showEquations({ amounts }: DistributionRunDetail): void {
  const number = (digits: string | null) => BigInt(digits ?? '0');
  const both = (parts: { readonly developer: string; readonly holders: string } | null) =>
    number(parts?.developer ?? null) + number(parts?.holders ?? null);
  const [collected, kept, burned] = [number(amounts.collected), both(amounts.kept), number(amounts.burned)];
  const [sold, keptAfter] = [both(amounts.soldParts), both(amounts.keptAfter)];
  const [proceeds, costs, developer] = [amounts.proceeds, amounts.costs, amounts.developer].map(number) as [
    bigint,
    bigint,
    bigint,
  ];
  const [holders, dust, shares, dustAfter] = [
    amounts.holders,
    amounts.dust,
    amounts.allotted,
    amounts.dustAfter,
  ].map(number) as [bigint, bigint, bigint, bigint];
  const [owed, paid, owedAfter] = [amounts.owed, amounts.paid, amounts.owedAfter].map(number) as [
    bigint,
    bigint,
    bigint,
  ];
  hold(collected + kept === burned + sold + keptAfter, 'no token is lost');
  hold(proceeds === costs + developer + holders, 'the proceeds are divided');
  hold(holders + dust === shares + dustAfter, "the shares add up to the holders' part");
  hold(owed + costs + developer + shares === paid + owedAfter, 'every owed amount is paid or stays owed');
  tell(
    'The equations of this run, which anyone can check',
    `collected ${sun(collected)} + kept before ${sun(kept)}`,
    `  = burned ${sun(burned)} + sold ${sun(sold)} + kept ${sun(keptAfter)}`,
    `proceeds ${sol(proceeds)}`,
    `  = the operator's costs ${sol(costs)} + developer ${sol(developer)} + holders ${sol(holders)}`,
    `holders ${sol(holders)} + remainder before ${sol(dust)}`,
    `  = shares ${sol(shares)} + remainder ${sol(dustAfter)}`,
    `owed before ${sol(owed)} + costs ${sol(costs)} + developer ${sol(developer)} + shares ${sol(shares)}`,
    `  = paid ${sol(paid)} + owed ${sol(owedAfter)}`,
  );
}
