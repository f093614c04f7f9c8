/** Reads the meters of pots: the remaining allowance of each delegate. */
import { addressBytes, sameBytes } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { PlannedPot } from '../../streams/distribution-run.ts';
import type { Absences } from '../absences.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { OpenPot, Paying } from './paying-memory.ts';

const ACCOUNTS_PER_READ = 100;

/** Undefined if the node's slot is too old; `missing` if the node shows no such account. */
export type Meter = bigint | 'missing' | undefined;

/** Finalized meters, in the order of the pots. */
export async function readMeters(
  chain: Chain,
  { memory, token, absences }: Pick<Paying, 'memory' | 'token' | 'absences'>,
  pots: readonly OpenPot[],
): Promise<readonly Meter[]> {
  const asOf = memory.slot;
  const meters: Meter[] = [];
  for await (const { pot, account, slot } of readPots(chain, absences, pots, asOf)) {
    if (slot > memory.slot) memory.slot = slot;
    meters.push(slot < asOf ? undefined : meterOf(account, pot.planned, token));
  }
  return meters;
}

/** Pots with their finalized accounts, in pages; read from another node if an account of the page was missing before. */
export async function* readPots<Pot extends { readonly planned: Pick<PlannedPot, 'address'> }>(
  chain: Pick<Chain, 'accountsAt'>,
  absences: Absences,
  pots: readonly Pot[],
  atLeastSlot: bigint,
) {
  for (let from = 0; from < pots.length; from += ACCOUNTS_PER_READ) {
    const page = pots.slice(from, from + ACCOUNTS_PER_READ);
    const addresses = page.map(({ planned }) => planned.address);
    const elsewhere = addresses.some((each) => absences.has(nameOf(each)) || absences.has(paymentsOf(each)));
    const { slot, accounts } = await chain.accountsAt(addresses, 'finalized', { atLeastSlot, elsewhere });
    for (const [index, pot] of page.entries()) yield { pot, account: accounts[index], slot };
  }
}

/** Name of a pot in `Absences`. */
export function nameOf(pot: string): string {
  return `the pot ${pot}`;
}

/** Name in `Absences` of a pot's settled payments: a meter above their value shows that the chain lacks one. */
export function paymentsOf(pot: string): string {
  return `the payments of the pot ${pot}`;
}

/** Remaining allowance of the delegate, limited by the pot's balance. */
export function meterOf(
  account: ChainAccount | undefined,
  { delegate }: Pick<PlannedPot, 'delegate'>,
  { wallet }: Pick<DistributedToken, 'wallet'>,
): bigint | 'missing' {
  const shown = account && readTokenAccount(account);
  if (shown === undefined || !sameBytes(shown.owner, addressBytes(wallet.address))) return 'missing';
  if (shown.delegate === undefined || !sameBytes(shown.delegate, addressBytes(delegate))) return 0n;
  // The owner can spend from the pot without lowering the allowance.
  return shown.amount < shown.delegatedAmount ? shown.amount : shown.delegatedAmount;
}
