/** The frame of every transaction that users sign: nonce advance, price, then the instructions of its purpose. */
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
  /** The user, who pays for everything. */
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
 * Bytes left free for the guard instructions that wallets add before they sign: the guard program's key and three
 * or four assertions. With 200, an adjustable fee and the longest name would leave no room for any URI.
 */
export const WALLET_GUARD_ALLOWANCE = 160;
export const MAX_DURABLE_SIZE = PACKET_SIZE - WALLET_GUARD_ALLOWANCE;

/**
 * The same input gives the same bytes. The service's keys only sign: they neither pay nor are writable. Throws a
 * TypeError for an invalid address and a RangeError for a number that its field cannot hold.
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
 * The same instructions as unsigned wire bytes, without nonce and price, to be simulated under any blockhash before a
 * nonce is leased. With a price, the generous compute limit could cost more than the wallet holds.
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

/** The chain's fee for a transaction in lamports, without the lamports that it moves. */
export function transactionFee(transaction: {
  readonly signatures: number;
  readonly computeUnitLimit: number;
  /** Microlamports. */
  readonly computeUnitPrice: bigint;
}): bigint {
  const { signatures, computeUnitLimit: limit, computeUnitPrice: price } = transaction;
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFee({ limit, price });
}

/** In lamports. `price`: in microlamports per compute unit. */
export function priorityFee({ limit, price }: { readonly limit: number; readonly price: bigint }): bigint {
  return (BigInt(limit) * price + MICROLAMPORTS - 1n) / MICROLAMPORTS;
}

const ANY_BLOCKHASH = addressOf(new Uint8Array(32).fill(7));
