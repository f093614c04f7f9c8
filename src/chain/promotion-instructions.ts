/** Instructions of a promotion's payment: SOL to the treasury, and a memo that names the promotion. */

import type { Instruction } from 'levy-solana-wire';
import { memoInstruction } from './memo-instruction.ts';
import { transferInstruction } from './system-instructions.ts';

/** Signed by `creator`; `memoSigners` sign the memo too. `price`: lamports. */
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
