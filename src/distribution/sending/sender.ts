/**
 * Signs and sends recorded content as version 1 transactions with limits and a price. Nothing is recorded here, because signing a
 * content again is harmless.
 */
import {
  compileVersion1Message,
  type Instruction,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
} from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import { boundUnits, computeUnitLimit, computeUnitPrice, MAX_UNITS } from '../../chain/price-policy.ts';
import type { Chain, RecentBlockhash, Simulation } from '../../kernel/ports/chain.ts';

export interface SignedTransaction {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /** Cost in lamports if the transaction lands. */
  readonly fee: bigint;
}

export type Sender = ReturnType<typeof createSender>;

/**
 * Maximum bytes of loaded accounts and programs. The cluster charges 8 units per 32 KiB; the token programs and the venue's
 * programs together have less than 4 MB.
 */
const LOADED_DATA = 8 * 1_024 * 1_024;
const MICRO = 1_000_000n;
/** Lamports per signature. */
export const SIGNATURE_FEE = 5_000n;

export function createSender(options: {
  readonly chain: Chain;
  /** Microlamports per unit. */
  readonly maximumPrice: bigint;
}) {
  const { chain, maximumPrice } = options;
  let lastPrice = 0n;

  const limitOf = (units: number) => Math.min(computeUnitLimit(units), MAX_UNITS);
  const priorityOf = (units: number) => (lastPrice * BigInt(limitOf(units)) + MICRO - 1n) / MICRO;

  return {
    /** Returns the simulated bytes too, because errors refer to accounts by index. `atLeastSlot`: see `Chain.simulate`. */
    async simulate(
      instructions: readonly Instruction[],
      payer: string,
      options: { readonly atLeastSlot?: bigint } = {},
    ): Promise<Simulation & { readonly wire: Uint8Array }> {
      const { bytes } = compileVersion1Message({
        payer,
        instructions,
        // A simulation accepts any blockhash, and an address is always well-formed.
        recentBlockhash: payer,
        config: { computeUnitLimit: MAX_UNITS, loadedAccountsDataSizeLimit: LOADED_DATA },
      });
      const wire = unsignedTransaction(bytes);
      const simulation = await chain.simulate(wire, { ...options, anyBlockhash: true });
      return { ...simulation, unitsConsumed: boundUnits(simulation.unitsConsumed), wire };
    },
    /** Signs with all keys; the first one pays. `blockhash` may be shared by transactions that are signed together. */
    async sign(
      instructions: readonly Instruction[],
      keys: readonly KeyPair[],
      units: number,
      { blockhash, lastValidBlockHeight }: RecentBlockhash,
    ): Promise<SignedTransaction> {
      const [payer] = keys;
      if (payer === undefined) throw new TypeError('the transaction has no payer');
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
    /** Recent price in microlamports per unit, limited to the operator's maximum. */
    async price(writable: readonly string[]): Promise<bigint> {
      lastPrice = computeUnitPrice(await chain.recentPrices(writable), maximumPrice);
      return lastPrice;
    },
  };
}
