/**
 * Instructions that move a sale's tokens out of the wallet's account and its lamports into the till, or fail as a whole. Executed
 * when the till exists and before its lamports are counted. Pure: an audit builds the same instructions from the records.
 */
import { feeOfTransfer, type Instruction } from 'levy-solana-wire';
import { taxedTransferInstruction, transferSol } from '../../chain/payment-instructions.ts';
import { sellToPool } from './meteora.ts';
import type { Sale, SaleAccounts } from './sale-venue.ts';
import { sellToDesk } from './test-buyer.ts';

export function saleInstructions(sale: Sale, accounts: SaleAccounts): readonly Instruction[] {
  switch (sale.venue) {
    case 'desk':
      return sellToDesk(sale, accounts);
    case 'meteora':
      return sellToPool(sale, accounts);
  }
}

/**
 * Fails if the sale took more tokens than stated. `left`: balance before the sale, less the sold amount; at 0 there is nothing to
 * guard. A transfer to itself pays no tax. Executed after the sale; signed by the wallet.
 */
export function guardTokens(
  { mint, decimals }: Sale,
  { wallet, tokens, tax }: SaleAccounts,
  left: bigint,
): readonly Instruction[] {
  if (left === 0n) return [];
  const fee = feeOfTransfer(tax, left);
  return [
    taxedTransferInstruction({
      mint,
      decimals,
      from: tokens,
      to: tokens,
      authority: wallet,
      amount: left,
      fee,
    }),
  ];
}

/**
 * Fails if the sale brought less than its minimum. It must run after the till's lamports are counted, and the wallet signs it.
 * `carried`: balance of the old till without its rent. Donations received since that balance was read count towards the minimum.
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
