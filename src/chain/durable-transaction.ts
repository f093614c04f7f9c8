/** The frame of every transaction that users sign: the nonce's advance first, then its price, then what it is for. */
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
  /** The nonce's present value, base58. */
  readonly nonceValue: string;
  readonly computeUnitLimit: number;
  /** Microlamports for each compute unit. */
  readonly computeUnitPrice: bigint;
  readonly instructions: readonly Instruction[];
}

export const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICROLAMPORTS = 1_000_000n;

/**
 * Bytes left free for the guard instructions that wallets add before they sign: the guard program's key and three
 * or four assertions. With 200, an adjustable fee and the longest name would leave no room for any URI.
 */
export const WALLET_GUARD_ALLOWANCE = 160;
export const MAX_DURABLE_SIZE = PACKET_SIZE - WALLET_GUARD_ALLOWANCE;

/**
 * The same input gives the same bytes. The keys of the service only sign: they neither pay nor are writable. Throws a
 * TypeError for what is no address and a RangeError for numbers that their fields cannot hold.
 */
export function compileDurableTransaction(transaction: DurableTransaction): CompiledMessage {
  const { payer, nonceAccount, nonceAuthority, nonceValue, instructions } = transaction;
  return compileLegacyMessage({
    payer,
    instructions: [
      // The chain takes a message for a durable one only if it begins with the advance.
      nonceAdvanceInstruction(nonceAccount, nonceAuthority),
      computeUnitLimitInstruction(transaction.computeUnitLimit),
      computeUnitPriceInstruction(transaction.computeUnitPrice),
      ...instructions,
    ],
    recentBlockhash: nonceValue,
  });
}

/**
 * The unsigned wire bytes of the same instructions without a nonce and without a price, to be simulated under any
 * blockhash before a nonce is taken for them. A price would multiply the generous limit beyond what the wallet holds.
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

/** What the chain takes for a transaction beyond what it moves, in lamports. */
export function transactionFee(transaction: {
  readonly signatures: number;
  readonly computeUnitLimit: number;
  /** Microlamports. */
  readonly computeUnitPrice: bigint;
}): bigint {
  const microlamports = BigInt(transaction.computeUnitLimit) * transaction.computeUnitPrice;
  const priorityFee = (microlamports + MICROLAMPORTS - 1n) / MICROLAMPORTS;
  return BigInt(transaction.signatures) * LAMPORTS_PER_SIGNATURE + priorityFee;
}

const ANY_BLOCKHASH = addressOf(new Uint8Array(32).fill(7));
