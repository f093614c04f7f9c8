/**
 * Moves a sale's tokens out of the wallet's account and its lamports into the till, or fails as a whole. Runs when the till
 * exists and before its lamports are counted. Pure: an audit builds the same instructions from what was recorded.
 */
import type { Instruction } from 'levy-solana-wire';
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
