/** The lamports that were lent for an account of wrapped SOL: they go back to the distributor, so that what a node says is bounded. */
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { MOST_RENT_PER_BYTE, rentOf } from 'levy-solana-wire';
import { type ChainAccount, ChainAnswerInvalid } from '../kernel/ports/chain.ts';
import { readTokenAccount } from './token-accounts.ts';

/** @throws ChainAnswerInvalid where no rent was ever so high, or the account holds less */
export function reserveOf(account: ChainAccount | undefined): bigint {
  const reserve = (account && readTokenAccount(account)?.nativeReserve) ?? 0n;
  if (
    reserve > rentOf(ACCOUNT_SIZE, MOST_RENT_PER_BYTE) ||
    (account !== undefined && reserve > account.lamports)
  )
    throw new ChainAnswerInvalid(`the chain node shows an account with an impossible reserve of ${reserve}`);
  return reserve;
}
