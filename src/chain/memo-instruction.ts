/** Memo instruction: text that its signers vouch for. Its data is the text; neither web3.js nor spl-token supports it. */
import { type Instruction, MEMO_PROGRAM } from 'levy-solana-wire';
import { signing } from './account-meta.ts';

export function memoInstruction(signers: readonly string[], text: string): Instruction {
  return { program: MEMO_PROGRAM, accounts: signers.map(signing), data: Buffer.from(text) };
}
