/** Instructions and signers of a transaction, with their addresses. */
import { addressOf, decodeTransaction } from 'levy-solana-wire';

export interface NamedInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
}

export interface LandedInstructions {
  readonly payer: string;
  readonly signers: readonly string[];
  readonly instructions: readonly NamedInstruction[];
}

/** Undefined if the bytes are not a transaction. Addresses from lookup tables are empty strings. */
export function instructionsIn(wire: Uint8Array): LandedInstructions | undefined {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return undefined;
  const { message } = decoded.transaction;
  const names = message.accountKeys.map(addressOf);
  return {
    payer: names[0] ?? '',
    signers: names.slice(0, message.requiredSignatures),
    instructions: message.instructions.map(({ programIndex, accountIndexes, data }) => ({
      program: names[programIndex] ?? '',
      accounts: [...accountIndexes].map((index) => names[index] ?? ''),
      data: Buffer.from(data),
    })),
  };
}
