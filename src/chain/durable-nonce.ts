/** Durable nonces: the accounts, their instructions, and the advance that permanently invalidates a transaction. */
import { NONCE_ACCOUNT_LENGTH, SystemProgram } from '@solana/web3.js';
import {
  addressBytes,
  addressOf,
  compileLegacyMessage,
  type Instruction,
  readNonceAccount,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
  nonceValueAfter as valueAfter,
} from 'levy-solana-wire';
import type { KeyPair } from './keys.ts';
import { asNumber, instructionOf, publicKey } from './web3-instruction.ts';

/** Size in bytes; the account must hold its rent. */
export const NONCE_ACCOUNT_SIZE = NONCE_ACCOUNT_LENGTH;

/** Advances the nonce, which consumes its value. A durable transaction must begin with this instruction. */
export function nonceAdvanceInstruction(nonceAccount: string, authority: string): Instruction {
  return instructionOf(
    SystemProgram.nonceAdvance({
      noncePubkey: publicKey(nonceAccount),
      authorizedPubkey: publicKey(authority),
    }),
  );
}

/** Creates and initializes a nonce account. Signed by `feePayer` and the account's own key. `lamports`: its rent. */
export function createNonceAccountInstructions(account: {
  readonly feePayer: string;
  readonly nonceAccount: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Instruction[] {
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: publicKey(account.feePayer),
    noncePubkey: publicKey(account.nonceAccount),
    authorizedPubkey: publicKey(account.authority),
    lamports: asNumber(account.lamports),
  });
  return instructions.map(instructionOf);
}

/**
 * Unsigned wire bytes of a nonce account's creation, to be simulated under any blockhash. Without signatures, `payer` may be any
 * account with lamports.
 */
export function nonceCreationSimulation(account: {
  readonly payer: string;
  readonly nonceAccount: string;
  readonly authority: string;
  readonly lamports: bigint;
}): Uint8Array {
  const { bytes } = compileLegacyMessage({
    payer: account.payer,
    recentBlockhash: addressOf(new Uint8Array(32).fill(7)),
    instructions: createNonceAccountInstructions({ ...account, feePayer: account.payer }),
  });
  return unsignedTransaction(bytes);
}

/**
 * Interprets the outcome of `createNonceAccountInstructions`. False if the chain created the account but did not initialise it
 * as a nonce account. Undefined if something else failed. `error`: the chain's error as JSON text.
 */
export function showsNonces(error: string | undefined): boolean | undefined {
  if (error === undefined) return true;
  const [place, reason] = instructionError(error);
  // SIMD-0723 has no feature gate yet that could be queried, and its error may still change. The other errors of this instruction
  // are a rent that rose since it was read, and error numbers, which concern nonces that exist.
  const isRefusal = typeof reason === 'string' && reason !== 'InsufficientFunds';
  return place === 1 && isRefusal ? false : undefined;
}

function instructionError(error: string): readonly unknown[] {
  try {
    const { InstructionError: found } = { ...JSON.parse(error) } as { InstructionError?: unknown };
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Content of a nonce account, in base58. */
interface RecordedNonce {
  readonly authority: string;
  /** Replaces the recent blockhash in a durable transaction. */
  readonly value: string;
  /** Fee per signature at the time of the value's creation. */
  readonly lamportsPerSignature: bigint;
}

/** Decodes an account's data; undefined unless it is an initialized, usable nonce account. */
export function decodeNonceAccount(data: Uint8Array): RecordedNonce | undefined {
  const nonce = readNonceAccount(data);
  return nonce && { ...nonce, authority: addressOf(nonce.authority), value: addressOf(nonce.value) };
}

/** Value that an advance stores while this is the newest blockhash; both in base58. */
export function nonceValueAfter(blockhash: string): string {
  return addressOf(valueAfter(addressBytes(blockhash)));
}

/**
 * Transaction that invalidates every other one signed for a nonce value. Consumes that value itself, so a late copy fails and
 * cannot affect the next value. Deterministic.
 */
export function buildNonceAdvance(advance: {
  readonly feePayer: KeyPair;
  readonly nonceAuthority: KeyPair;
  readonly nonceAccount: string;
  readonly value: string;
}): { readonly signature: string; readonly wire: Uint8Array } {
  const { feePayer, nonceAuthority, nonceAccount, value } = advance;
  const message = compileLegacyMessage({
    payer: feePayer.address,
    instructions: [nonceAdvanceInstruction(nonceAccount, nonceAuthority.address)],
    recentBlockhash: value,
  });
  const signatures = [feePayer, nonceAuthority].map((key) => [key.address, key.sign(message.bytes)] as const);
  const wire = signTransaction(message.bytes, new Map(signatures));
  return { signature: transactionSignature(wire), wire };
}
