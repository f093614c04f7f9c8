/** Frame of every transaction that users sign: nonce advance, price, then the instructions of its purpose. */
import {
  addressOf,
  type CompiledMessage,
  compileLegacyMessage,
  type Instruction,
  PACKET_SIZE,
  unsignedTransaction,
} from 'levy-solana-wire';
import { nonceAdvanceInstruction } from './durable-nonce.ts';
import { computeUnitLimitInstruction, computeUnitPriceInstruction } from './system-instructions.ts';

/** Addresses in base58. */
export interface DurableTransaction {
  /** The user, who pays all costs. */
  readonly payer: string;
  readonly nonceAccount: string;
  readonly nonceAuthority: string;
  /** The nonce's current value, in base58. */
  readonly nonceValue: string;
  readonly computeUnitLimit: number;
  /** Microlamports per compute unit. */
  readonly computeUnitPrice: bigint;
  readonly instructions: readonly Instruction[];
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICROLAMPORTS = 1_000_000n;

/**
 * Bytes left free for guard instructions that wallets add before they sign: the guard program's key and three or four assertions.
 * With 200, an adjustable fee and the longest name would leave no room for any URI.
 */
const WALLET_GUARD_ALLOWANCE = 160;
export const MAX_DURABLE_SIZE = PACKET_SIZE - WALLET_GUARD_ALLOWANCE;

/**
 * Deterministic. The service's keys only sign: they neither pay nor are writable. Throws a TypeError for an invalid address and a
 * RangeError for a number that its field cannot hold.
 */
export function compileDurableTransaction(transaction: DurableTransaction): CompiledMessage {
  const { payer, nonceAccount, nonceAuthority, nonceValue, instructions } = transaction;
  return compileLegacyMessage({
    payer,
    instructions: [
      // The chain treats a message as durable only if it begins with the advance.
      nonceAdvanceInstruction(nonceAccount, nonceAuthority),
      computeUnitLimitInstruction(transaction.computeUnitLimit),
      computeUnitPriceInstruction(transaction.computeUnitPrice),
      ...instructions,
    ],
    recentBlockhash: nonceValue,
  });
}

/**
 * Unsigned wire bytes of the same instructions without nonce and price, to be simulated under any blockhash before a nonce is
 * leased. With a price, the high compute limit could cost more than the wallet holds.
 */
export function compileSimulationMessage(simulation: {
  readonly payer: string;
  readonly computeUnitLimit: number;
  readonly instructions: readonly Instruction[];
}): Uint8Array {
  const { bytes } = compileLegacyMessage({
    payer: simulation.payer,
    instructions: [
      computeUnitLimitInstruction(simulation.computeUnitLimit),
      computeUnitPriceInstruction(0n),
      ...simulation.instructions,
    ],
    recentBlockhash: ANY_BLOCKHASH,
  });
  return unsignedTransaction(bytes);
}

/** Fee of a transaction in lamports, without the lamports that it transfers. */
export function transactionFee(transaction: {
  readonly signatures: number;
  readonly computeUnitLimit: number;
  /** Microlamports per compute unit. */
  readonly computeUnitPrice: bigint;
}): bigint {
  const { signatures, computeUnitLimit: limit, computeUnitPrice: price } = transaction;
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFee({ limit, price });
}

/** Priority fee in lamports. `price`: microlamports per compute unit. */
export function priorityFee({ limit, price }: { readonly limit: number; readonly price: bigint }): bigint {
  return (BigInt(limit) * price + MICROLAMPORTS - 1n) / MICROLAMPORTS;
}

const ANY_BLOCKHASH = addressOf(new Uint8Array(32).fill(7));
