/** Reads the meters of pots: what is left of each delegate's allowance. */
import { addressBytes, sameBytes } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { PlannedPot } from '../../streams/distribution-run.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { OpenPot, Paying } from './paying.ts';

const ACCOUNTS_PER_READ = 100;

/** Undefined where a node shows something older; `missing` where it shows no such account. */
export type Meter = bigint | 'missing' | undefined;

/** In the order of the pots, as they are final. */
export async function readMeters(
  chain: Chain,
  { memory, token, absences }: Pick<Paying, 'memory' | 'token' | 'absences'>,
  pots: readonly OpenPot[],
): Promise<readonly Meter[]> {
  const meters: Meter[] = [];
  const asOf = memory.slot;
  for (let from = 0; from < pots.length; from += ACCOUNTS_PER_READ) {
    const page = pots.slice(from, from + ACCOUNTS_PER_READ);
    const { slot, accounts } = await chain.accountsAt(
      page.map(({ planned }) => planned.address),
      'finalized',
      {
        atLeastSlot: asOf,
        elsewhere: page.some(
          ({ planned: { address } }) => absences.has(nameOf(address)) || absences.has(paymentsOf(address)),
        ),
      },
    );
    if (slot > memory.slot) memory.slot = slot;
    page.forEach(({ planned }, index) => {
      const meter = slot < asOf ? undefined : meterOf(accounts[index], planned, token);
      meters.push(meter);
    });
  }
  return meters;
}

/** As absences call a pot. */
export function nameOf(pot: string): string {
  return `the pot ${pot}`;
}

/** The name of a pot's settled payments among the absences: a meter above their value shows that the chain lacks one. */
export function paymentsOf(pot: string): string {
  return `the payments of the pot ${pot}`;
}

/** What is left of the delegate's allowance, as far as the pot holds it. */
export function meterOf(
  account: ChainAccount | undefined,
  { delegate }: Pick<PlannedPot, 'delegate'>,
  { wallet }: Pick<DistributedToken, 'wallet'>,
): bigint | 'missing' {
  const shown = account && readTokenAccount(account);
  if (shown === undefined || !sameBytes(shown.owner, addressBytes(wallet.address))) return 'missing';
  if (shown.delegate === undefined || !sameBytes(shown.delegate, addressBytes(delegate))) return 0n;
  // Its owner can take from the pot without lowering the allowance.
  return shown.amount < shown.delegatedAmount ? shown.amount : shown.delegatedAmount;
}
