/**
 * Moves a sale's tokens out of the wallet's account and its lamports into the till, or fails as a whole. Runs when the till
 * exists and before its lamports are counted. Pure: an audit builds the same instructions from what was recorded.
 */
import { feeOfTransfer, type Instruction } from 'levy-solana-wire';
import { transferSol, transferTaxed } from '../../chain/payment-instructions.ts';
import { sellToDesk } from './desk.ts';
import { sellToPool } from './meteora.ts';
import type { Sale, SaleAccounts } from './sale-venue.ts';

export function saleInstructions(sale: Sale, accounts: SaleAccounts): readonly Instruction[] {
  switch (sale.venue) {
    case 'desk':
      return sellToDesk(sale, accounts);
    case 'meteora':
      return sellToPool(sale, accounts);
  }
}

/**
 * Fails if the sale took more tokens than it said. `left` is what must remain: what the account held, less the sale. A
 * transfer to itself pays no tax. Runs after the sale; nothing to hold it to where nothing is left. The wallet signs.
 */
export function guardTokens(
  { mint, decimals }: Sale,
  { wallet, tokens, tax }: SaleAccounts,
  left: bigint,
): readonly Instruction[] {
  if (left === 0n) return [];
  const fee = feeOfTransfer(tax, left);
  return [transferTaxed({ mint, decimals, from: tokens, to: tokens, authority: wallet, amount: left, fee })];
}

/**
 * Fails if the sale brought less than its minimum. `carried` is what the old till held, without its rent: more may have
 * been donated to it since, which the sale would then need not bring. Runs when the till's lamports are counted. The wallet signs.
 */
export function guardProceeds(
  { minimum }: Sale,
  { wallet, till }: SaleAccounts,
  carried: bigint,
): readonly Instruction[] {
  const lamports = carried + minimum;
  if (lamports === 0n) return [];
  return [transferSol({ from: till, to: till, authority: wallet, lamports })];
}
