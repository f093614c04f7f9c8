/**
 * Desk of a test chain: a wallet of the service that buys collected tax at a fixed price, with SOL from airdrops. Like a
 * pool, it pays for the amount that it receives, without the tax of the purchase. A later run collects that tax.
 */
import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token';
import {
  associatedTokenAddress,
  feeOfTransfer,
  type Instruction,
  TOKEN_2022_PROGRAM,
} from 'levy-solana-wire';
import { CREATOR_TOKEN_ACCOUNT_SIZE } from '../../chain/creation-transaction.ts';
import type { KeyPair } from '../../chain/keys.ts';
import { taxedTransferInstruction } from '../../chain/payment-instructions.ts';
import { transferInstruction } from '../../chain/system-instructions.ts';
import { tokenInstruction } from '../../chain/web3-instruction.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { arriving, exceedsTaxLimit } from './decide-sale.ts';
import { refused, type Sale, type SaleAccounts, type SaleVenue } from './sale-venue.ts';

/** Minimum lamports per airdrop. */
const REFILL = 100_000_000_000n;

interface DeskOptions {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption' | 'airdrop'>;
  readonly key: KeyPair;
  /** Value of the whole supply, in lamports. */
  readonly marketCap: bigint;
}

export function createDesk({ chain, key, marketCap }: DeskOptions): SaleVenue {
  /**
   * Requests missing lamports. If two quotes count on the same lamports, the chain refuses the second sale, which is quoted
   * again.
   */
  async function fund(mint: string, price: bigint): Promise<void> {
    const [wallet, tokens] = await chain.accounts(
      [key.address, associatedTokenAddress(key.address, mint)],
      'confirmed',
    );
    const floor = await chain.rentExemption(0);
    const rent = tokens === undefined ? await chain.rentExemption(CREATOR_TOKEN_ACCOUNT_SIZE) : 0n;
    const missing = price + floor + rent - (wallet?.lamports ?? 0n);
    if (missing > 0n) await chain.airdrop(key.address, missing > REFILL ? missing : REFILL);
  }

  return {
    name: 'desk',

    async quote({ mint, decimals, tax, supply }, amount) {
      const price = supply === 0n ? 0n : (marketCap * arriving(tax, amount)) / supply;
      if (price === 0n) return refused('too-little');
      if (exceedsTaxLimit(tax, amount)) return refused('own-tax');
      await fund(mint, price);
      return {
        sale: { venue: 'desk', mint, decimals, market: key.address, amount, minimum: price },
        expected: price,
        basis: null,
      };
    },

    signers: () => [key],
  };
}

/** The desk signs, and pays for its own account. */
export function sellToDesk(
  { mint, decimals, market, amount, minimum }: Sale,
  { wallet, tokens, till, tax }: SaleAccounts,
): readonly Instruction[] {
  const bought = associatedTokenAddress(market, mint);
  return [
    tokenInstruction(
      createAssociatedTokenAccountIdempotentInstruction,
      market,
      bought,
      market,
      mint,
      TOKEN_2022_PROGRAM,
    ),
    taxedTransferInstruction({
      mint,
      decimals,
      from: tokens,
      to: bought,
      authority: wallet,
      amount,
      fee: feeOfTransfer(tax, amount),
    }),
    transferInstruction({ from: market, to: till, lamports: minimum }),
  ];
}
