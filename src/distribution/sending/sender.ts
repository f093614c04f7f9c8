/**
 * Signs and sends what the engine has recorded: version 1 transactions with their limits and price. Knows nothing of
 * what they do. Signing a content again is harmless, so nothing here is recorded.
 */
import {
  compileVersion1Message,
  type Instruction,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
} from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import { boundUnits, computeUnitLimit, computeUnitPrice, MOST_UNITS } from '../../chain/price-policy.ts';
import type { Chain, RecentBlockhash, Simulation } from '../../kernel/ports/chain.ts';

export interface SignedTransaction {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /** The lamports that it costs if it lands. */
  readonly fee: bigint;
}

export type Sender = ReturnType<typeof createSender>;

/**
 * Bytes of accounts, their programs among them. The cluster charges 8 units for each 32 KiB; the token programs and the
 * venue's have together under 4 MB.
 */
const LOADED_DATA = 8 * 1_024 * 1_024;
const MICRO = 1_000_000n;
/** Lamports for each signature. */
export const SIGNATURE_FEE = 5_000n;

export function createSender(options: {
  readonly chain: Chain;
  /** Microlamports per unit. */
  readonly maximumPrice: bigint;
}) {
  const { chain, maximumPrice } = options;
  let lastPrice = 0n;

  const limitOf = (units: number) => Math.min(computeUnitLimit(units), MOST_UNITS);
  const priorityOf = (units: number) => (lastPrice * BigInt(limitOf(units)) + MICRO - 1n) / MICRO;

  return {
    /** With the bytes that were simulated: errors name accounts by their place in them. `atLeastSlot` as of `Chain.simulate`. */
    async simulate(
      instructions: readonly Instruction[],
      payer: string,
      options: { readonly atLeastSlot?: bigint } = {},
    ): Promise<Simulation & { readonly wire: Uint8Array }> {
      const { bytes } = compileVersion1Message({
        payer,
        instructions,
        // The simulation takes any, and this one is always well-formed.
        recentBlockhash: payer,
        config: { computeUnitLimit: MOST_UNITS, loadedAccountsDataSizeLimit: LOADED_DATA },
      });
      const wire = unsignedTransaction(bytes);
      const simulation = await chain.simulate(wire, { ...options, anyBlockhash: true });
      return { ...simulation, unitsConsumed: boundUnits(simulation.unitsConsumed), wire };
    },
    /** The first key pays. `blockhash` may be shared by transactions that are signed together. */
    async sign(
      instructions: readonly Instruction[],
      keys: readonly KeyPair[],
      units: number,
      { blockhash, lastValidBlockHeight }: RecentBlockhash,
    ): Promise<SignedTransaction> {
      const [payer] = keys;
      if (payer === undefined) throw new TypeError('somebody has to pay');
      const priorityFee = priorityOf(units);
      const { bytes } = compileVersion1Message({
        payer: payer.address,
        instructions,
        recentBlockhash: blockhash,
        config: {
          computeUnitLimit: limitOf(units),
          loadedAccountsDataSizeLimit: LOADED_DATA,
          ...(priorityFee === 0n ? {} : { priorityFee }),
        },
      });
      const wire = signTransaction(bytes, new Map(keys.map((key) => [key.address, key.sign(bytes)])));
      const fee = BigInt(keys.length) * SIGNATURE_FEE + priorityFee;
      return { wire, signature: transactionSignature(wire), lastValidBlockHeight, fee };
    },
    send: ({ wire }: SignedTransaction) => chain.send(wire),
    /** Microlamports per unit that recent transactions paid, at most the operator's maximum. */
    async price(writable: readonly string[]): Promise<bigint> {
      lastPrice = computeUnitPrice(await chain.recentPrices(writable), maximumPrice);
      return lastPrice;
    },
  };
}
