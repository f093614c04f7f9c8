/** A sale as one thing that a link of the till chain does: sold into the new till, and held to its word on both sides. */
import type { TillAction } from '../till-chain.ts';
import type { Markets } from './markets.ts';
import { guardProceeds, guardTokens } from './sale-guards.ts';
import { type Sale, type SaleAccounts, saleContent } from './sale-venue.ts';

/** What the guards hold a sale to. Read when the link is signed: no part of its content, since it does not change it. */
export interface SaleBounds {
  /** Base units that must still be in the account when the sale is over. */
  readonly left: bigint;
  /** The lamports that the old till held, without its rent. */
  readonly carried: bigint;
}

/** Stands before all actions of its link that spend from the new till or take tokens after it. */
export function saleAction(
  markets: Pick<Markets, 'instructions'>,
  sale: Sale,
  accounts: Omit<SaleAccounts, 'till'>,
  { left, carried }: SaleBounds,
): TillAction {
  return {
    content: saleContent(sale),
    collect: (till) => [
      ...markets.instructions(sale, { ...accounts, till }),
      ...guardTokens(sale, { ...accounts, till }, left),
    ],
    spend: (till) => guardProceeds(sale, { ...accounts, till }, carried),
  };
}
