/** Lamports lent for a wrapped-SOL account. They return to the distributor, so the node's figure is bounded. */
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { MAX_RENT_PER_BYTE, rentOf } from 'levy-solana-wire';
import { type ChainAccount, ChainAnswerInvalid } from '../kernel/ports/chain.ts';
import { readTokenAccount } from './token-accounts.ts';

/** @throws ChainAnswerInvalid if the reserve exceeds every possible rent, or the account's lamports */
export function reserveOf(account: ChainAccount | undefined): bigint {
  const reserve = (account && readTokenAccount(account)?.nativeReserve) ?? 0n;
  if (
    reserve > rentOf(ACCOUNT_SIZE, MAX_RENT_PER_BYTE) ||
    (account !== undefined && reserve > account.lamports)
  )
    throw new ChainAnswerInvalid(`the chain node shows an account with an impossible reserve of ${reserve}`);
  return reserve;
}
