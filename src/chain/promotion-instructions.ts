/** The instructions of a promotion's payment: SOL to the treasury, and a memo that names the promotion. */

import type { Instruction } from 'levy-solana-wire';
import { memoInstruction } from './memo-instruction.ts';
import { transferInstruction } from './system-instructions.ts';

/** `creator` signs both, and `memoSigners` the memo. `price` in lamports. */
export function promotionInstructions(payment: {
  readonly creator: string;
  readonly memoSigners: readonly string[];
  readonly treasury: string;
  readonly price: bigint;
  readonly promotionId: string;
}): readonly Instruction[] {
  return [
    transferInstruction({ from: payment.creator, to: payment.treasury, lamports: payment.price }),
    memoInstruction([payment.creator, ...payment.memoSigners], `promotion ${payment.promotionId}`),
  ];
}
