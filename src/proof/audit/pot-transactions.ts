/** What a transaction does with a pot: what it pays, what its guard says, and whether one of our keys signed it. */
import type { PastTransaction } from './chain-history.ts';
import type { BookedPot, TokenBooks } from './run-books.ts';

export interface Paid {
  readonly to: string;
  readonly amount: bigint;
}

/** What leaves the pot for somebody else. A move to itself is the guard. */
export function paidBy(
  { actions }: PastTransaction,
  { address, delegate, allowance, asset }: BookedPot,
): readonly Paid[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'move' && action.kind !== 'unwrap') return [];
    const { from, to, authority, amount = allowance } = action;
    // The wallet itself spends from the token's account for other ends: to sell. A pot of SOL is there for payments alone.
    const isPotsOwn = asset === 'sol' || authority === delegate;
    return from === address && to !== address && isPotsOwn ? [{ to, amount }] : [];
  });
}

export function guardOf({ actions }: PastTransaction, { address, delegate }: BookedPot): bigint | undefined {
  for (const action of actions)
    if (
      action.kind === 'move' &&
      action.from === address &&
      action.to === address &&
      action.authority === delegate
    )
      return action.amount;
  return undefined;
}

export function isSignedFor(
  { signers }: PastTransaction,
  { wallet }: Pick<TokenBooks, 'wallet'>,
  { delegate }: BookedPot,
): boolean {
  return signers.includes(wallet) || signers.includes(delegate);
}
