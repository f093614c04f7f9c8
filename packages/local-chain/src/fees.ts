/** Cost of a transaction: 5,000 lamports per signature, plus its priority fee. */
import { keyOf, sameBytes, type WireMessage } from 'levy-solana-wire';
import { BUILTIN_PROGRAMS, programKeys, SIGNATURE_VERIFIERS } from './program-keys.ts';

export const LAMPORTS_PER_SIGNATURE = 5_000n;
const MAXIMUM_UNITS = 1_400_000n;
const UNITS_OF_BUILTIN = 3_000n;
const UNITS_OF_PROGRAM = 200_000n;
const MICRO_LAMPORTS = 1_000_000n;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT = 4;
/** Default and maximum bytes that a transaction may load. */
const MAXIMUM_LOADED_BYTES = 64 * 1_024 * 1_024;

const builtins = new Set(BUILTIN_PROGRAMS.map(keyOf));
const verifiers = new Set(SIGNATURE_VERIFIERS.map(keyOf));

/** Fee in lamports. */
export function feeOf(message: WireMessage): bigint {
  let signatures = BigInt(message.requiredSignatures);
  for (const instruction of message.instructions) {
    const program = message.accountKeys[instruction.programIndex];
    // The data of a signature-verifying program start with the number of its signatures.
    if (program !== undefined && verifiers.has(keyOf(program)))
      signatures += BigInt(instruction.data[0] ?? 0);
  }
  const { price, limit } = computeBudgetOf(message);
  const priority = message.config?.priorityFee ?? (price * limit + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return signatures * LAMPORTS_PER_SIGNATURE + priority;
}

/** Price of a message in micro-lamports per compute unit, and its unit limit. */
function computeBudgetOf(message: WireMessage): { readonly price: bigint; readonly limit: bigint } {
  let price = 0n;
  let limit: bigint | undefined;
  let reserved = 0n;
  for (const instruction of message.instructions) {
    const program = message.accountKeys[instruction.programIndex];
    if (program === undefined) continue;
    reserved += builtins.has(keyOf(program)) ? UNITS_OF_BUILTIN : UNITS_OF_PROGRAM;
    if (!sameBytes(program, programKeys.computeBudget)) continue;
    const data = Buffer.from(instruction.data);
    if (data[0] === SET_COMPUTE_UNIT_LIMIT && data.length >= 5) limit = BigInt(data.readUInt32LE(1));
    if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= 9) price = data.readBigUInt64LE(1);
  }
  const units = limit ?? reserved;
  return { price, limit: units < MAXIMUM_UNITS ? units : MAXIMUM_UNITS };
}

/** Bytes of accounts that a message may load. A version 1 message without a limit may load none. */
export function loadedBytesLimitOf(message: WireMessage): number {
  const { config } = message;
  if (config !== undefined) {
    return Math.min(config.loadedAccountsDataSizeLimit ?? 0, MAXIMUM_LOADED_BYTES);
  }
  let limit = MAXIMUM_LOADED_BYTES;
  for (const { programIndex, data } of message.instructions) {
    const program = message.accountKeys[programIndex];
    if (program === undefined || !sameBytes(program, programKeys.computeBudget)) continue;
    if (data[0] !== SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT || data.length < 5) continue;
    limit = Math.min(Buffer.from(data).readUInt32LE(1), MAXIMUM_LOADED_BYTES);
  }
  return limit;
}
