/**
 * The desk: a wallet of the operator that buys collected tax at a fixed price, and signs the same transaction. It pays for
 * what arrives, as a pool does: what its purchase is taxed is collected again by a later run.
 */
import { associatedTokenAddress, feeOfTransfer } from 'levy-solana-wire';
import { CREATOR_TOKEN_ACCOUNT_SIZE } from '../../chain/creation-transaction.ts';
import type { KeyPair } from '../../chain/keys.ts';
import { transferTaxed } from '../../chain/payment-instructions.ts';
import { transferInstruction } from '../../chain/system-instructions.ts';
import { createAssociatedTokenAccountIfAbsent } from '../../chain/token-instructions.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { createTurns } from '../../kernel/runtime/turns.ts';
import type { QuoteRefusal } from '../../streams/unsold-reasons.ts';
import { eatsTooMuch } from './decide-sale.ts';
import type { SaleQuote, SaleVenue, TokenOnSale } from './sale-venue.ts';
import { arriving, largestToSend } from './taxed-amounts.ts';

/** Lamports requested from a local chain at a time, at least. */
const REFILL = 100_000_000_000n;
/** How long a quote's lamports are kept for it, in milliseconds: by then its sale is recorded, or nobody wants it. */
const QUOTE_KEPT = 60_000;

export interface DeskPolicy {
  /** The lamports that the whole supply is worth; 0 closes the desk. */
  readonly marketCap: bigint;
  /** The tokens that it buys; undefined on a local chain for all. */
  readonly mints: readonly string[] | undefined;
  /** The most lamports that it pays in all; undefined on a local chain for no end. */
  readonly budget: bigint | undefined;
}

export interface DeskOptions {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption' | 'airdrop'>;
  readonly clock: Clock;
  readonly key: KeyPair;
  readonly policy: DeskPolicy;
  /** The chain gives lamports away, and nothing on it is worth anything. Elsewhere tokens and budget must be said. */
  readonly isLocal: boolean;
  /** Lamports of all recorded sales to the desk that have landed or still may. */
  readonly spent: () => Promise<bigint>;
}

export function createDesk({ chain, clock, key, policy, isLocal, spent }: DeskOptions): SaleVenue {
  const { marketCap, budget } = policy;
  const mints = policy.mints && new Set(policy.mints);
  const isOpen = marketCap > 0n && (isLocal || (mints !== undefined && budget !== undefined));
  // Between its quote and its record a sale is nowhere else: two quotes at once must not spend the same lamports.
  const turns = createTurns();
  const kept = new Map<string, { readonly lamports: bigint; readonly until: number }>();

  function keptForOthers(mint: string): bigint {
    const now = clock.now().getTime();
    let sum = 0n;
    for (const [other, { lamports, until }] of kept) {
      if (until <= now) kept.delete(other);
      else if (other !== mint) sum += lamports;
    }
    return sum;
  }

  /** Lamports that are there for the token: without what the desk must hold, and the rent of an account that it makes. */
  async function available(mint: string, wanted: bigint): Promise<bigint> {
    const [wallet, tokens] = await chain.accounts(
      [key.address, associatedTokenAddress(key.address, mint)],
      'confirmed',
    );
    const floor = await chain.rentExemption(0);
    const rent = tokens === undefined ? await chain.rentExemption(CREATOR_TOKEN_ACCOUNT_SIZE) : 0n;
    const free = (wallet?.lamports ?? 0n) - floor - rent - keptForOthers(mint);
    if (!isLocal || free >= wanted) return free;
    const refill = wanted - free > REFILL ? wanted - free : REFILL;
    await chain.airdrop(key.address, refill);
    return free + refill;
  }

  async function leftOfBudget(mint: string): Promise<bigint | undefined> {
    return budget === undefined ? undefined : budget - (await spent()) - keptForOthers(mint);
  }

  async function quoteAlone(token: TokenOnSale, wanted: bigint): Promise<SaleQuote> {
    const { mint, decimals, tax, supply } = token;
    const price = (amount: bigint): bigint =>
      supply === 0n ? 0n : (marketCap * arriving(tax, amount)) / supply;
    const full = price(wanted);
    if (full === 0n) return refused('too-little');
    const budgetLeft = await leftOfBudget(mint);
    if (budgetLeft !== undefined && budgetLeft <= 0n) return refused('desk-budget-spent');
    const free = await available(mint, full);
    const isBudgetShorter = budgetLeft !== undefined && budgetLeft < free;
    const most = isBudgetShorter ? budgetLeft : free;
    // The most base units whose price is not above that.
    const units = ((most + 1n) * supply - 1n) / marketCap;
    const amount = full <= most ? wanted : most <= 0n ? 0n : largestToSend(tax, wanted, units);
    if (amount > 0n && eatsTooMuch(tax, amount)) return refused('own-tax');
    const minimum = price(amount);
    if (minimum === 0n) return refused(isBudgetShorter ? 'desk-budget-spent' : 'desk-empty');
    kept.set(mint, { lamports: minimum, until: clock.now().getTime() + QUOTE_KEPT });
    return {
      outcome: 'sale',
      sale: { venue: 'desk', mint, decimals, market: key.address, amount, minimum },
      expected: minimum,
      basis: null,
    };
  }

  return {
    name: 'desk',
    price: 'fixed',

    async quote(token, wanted) {
      if (!isOpen) return refused('no-market');
      if (mints?.has(token.mint) === false) return refused('desk-not-allowed');
      return turns.take(key.address, () => quoteAlone(token, wanted));
    },

    instructions({ mint, decimals, market, amount, minimum }, { wallet, tokens, till, tax }) {
      const bought = associatedTokenAddress(market, mint);
      return [
        createAssociatedTokenAccountIfAbsent({ payer: market, tokenAccount: bought, owner: market, mint }),
        transferTaxed({
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
    },

    signers: () => [key],
  };
}

function refused(reason: QuoteRefusal): SaleQuote {
  return { outcome: 'refused', reason };
}
