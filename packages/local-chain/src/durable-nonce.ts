/** Durable nonces: finds transactions that use the value of a nonce account instead of a recent blockhash. */
import { type CompiledInstruction, isWritable, keyOf, sameBytes, type WireMessage } from 'levy-solana-wire';
import { programKeys } from './program-keys.ts';

const ADVANCE_NONCE_ACCOUNT = 4;
/** Advance, initialize, authorize and upgrade. Withdrawing from a nonce account remains possible. */
const REMOVED_WITH_NONCES: readonly number[] = [ADVANCE_NONCE_ACCOUNT, 6, 7, 12];

/** True if the instruction fails on a chain without durable nonces. */
export function isNonceInstruction(
  { accountKeys }: WireMessage,
  { programIndex, data }: CompiledInstruction,
): boolean {
  const program = accountKeys[programIndex];
  if (program === undefined || !sameBytes(program, programKeys.system) || data.length < 4) return false;
  return REMOVED_WITH_NONCES.includes(Buffer.from(data).readUInt32LE(0));
}

/** Returns the nonce account that the message's first instruction advances, and the signers of that instruction. */
export function advancedNonce(
  message: WireMessage,
): { readonly address: Uint8Array; readonly signers: ReadonlySet<string> } | undefined {
  const first = message.instructions[0];
  if (first === undefined) return undefined;
  const program = message.accountKeys[first.programIndex];
  if (program === undefined || !sameBytes(program, programKeys.system)) return undefined;
  if (first.data.length < 4 || Buffer.from(first.data).readUInt32LE(0) !== ADVANCE_NONCE_ACCOUNT) {
    return undefined;
  }
  const index = first.accountIndexes[0];
  if (index === undefined || !isWritable(message, index, 0)) return undefined;
  const address = message.accountKeys[index];
  if (address === undefined) return undefined;
  const signers = new Set<string>();
  for (const account of first.accountIndexes) {
    const key = message.accountKeys[account];
    if (account < message.requiredSignatures && key !== undefined) signers.add(keyOf(key));
  }
  return { address, signers };
}
