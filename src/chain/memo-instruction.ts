/** A memo: text in a transaction that one of its signers vouches for. */
import { type Instruction, MEMO_PROGRAM } from 'levy-solana-wire';
import { signing } from './account-meta.ts';

export function memoInstruction(signer: string, text: string): Instruction {
  return { program: MEMO_PROGRAM, accounts: [signing(signer)], data: Buffer.from(text) };
}
