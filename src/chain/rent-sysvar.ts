/**
 * The rent of accounts, by the Rent sysvar. Rents are paid because a node says so, by the service and by creators, so that what a
 * node says is bounded.
 */

import { SYSVAR_OWNER } from 'levy-solana-wire';
import { type ChainAccount, ChainAnswerInvalid } from '../kernel/ports/chain.ts';
import { readTokenAccount } from './token-accounts.ts';
import { TOKEN_ACCOUNT_SIZE } from './wrapped-sol-instructions.ts';

/** Bytes that the runtime counts for each account besides its data. */
const OVERHEAD = 128;
/** Lamports a byte: no cluster has ever taken more, and the proposals to lower it end at a tenth. */
const MOST_PER_BYTE = 6_960;
const LEAST_PER_BYTE = 348;
const SYSVAR_SIZE = 17;

/** Lamports that each byte of an exempt account takes; undefined for what is no Rent sysvar, or is out of bounds. */
export function rentPerByte(account: Pick<ChainAccount, 'owner' | 'data'> | undefined): bigint | undefined {
  if (account?.owner !== SYSVAR_OWNER || account.data.length < SYSVAR_SIZE) return undefined;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const perByte = Number(view.getBigUint64(0, true)) * view.getFloat64(8, true);
  const isPossible = Number.isInteger(perByte) && perByte >= LEAST_PER_BYTE && perByte <= MOST_PER_BYTE;
  return isPossible ? BigInt(perByte) : undefined;
}

/** Lamports that an account of this size must hold to be exempt. */
export function rentOf(byteLength: number, perByte: bigint): bigint {
  return BigInt(OVERHEAD + byteLength) * perByte;
}

/**
 * Lamports that were lent for an account of wrapped SOL, which it says itself.
 * @throws ChainAnswerInvalid where no rent was ever so high, or the account holds less
 */
export function reserveOf(account: ChainAccount | undefined): bigint {
  const shown = account && readTokenAccount(account);
  const reserve = shown?.nativeReserve ?? 0n;
  const most = rentOf(TOKEN_ACCOUNT_SIZE, BigInt(MOST_PER_BYTE));
  if (reserve > most || (account !== undefined && reserve > account.lamports))
    throw new ChainAnswerInvalid(`the chain node shows an account with an impossible reserve of ${reserve}`);
  return reserve;
}
