/** A memo: text in a transaction that signers of it vouch for. Its data are the text; neither web3.js nor spl-token has it. */
import { type Instruction, MEMO_PROGRAM } from 'levy-solana-wire';
import { signing } from './account-meta.ts';

export function memoInstruction(signers: readonly string[], text: string): Instruction {
  return { program: MEMO_PROGRAM, accounts: signers.map(signing), data: Buffer.from(text) };
}
