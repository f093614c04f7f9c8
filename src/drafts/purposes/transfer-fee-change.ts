/**
 * Drafts that change a token's tax: the creator signs, and the chain says from which epoch the new rate applies.
 * The observer may have recorded the change already; then the draft is recorded, and the change is not recorded again.
 */

import type { TransferFeeChange } from '../../streams/purposes/transfer-fee-change.ts';
import { token } from '../../streams/token.ts';
import { memoSigners } from '../memo-signers.ts';
import { observeTransferFees } from '../observers/observe-transfer-fees.ts';
import { tellLanded } from '../observers/tell-transfer-fee.ts';
import type { LandedDraft, PurposeBehaviour } from './purpose-behaviour.ts';
import { recordOnce } from './record-once.ts';

export const transferFeeChange: PurposeBehaviour<TransferFeeChange> = {
  kind: 'transfer-fee-change',

  signers: memoSigners,

  async record(landed, { executor, chain }, cause) {
    const { transactionId, subject } = landed;
    const { tokenId, mintAddress } = subject;
    // The answer of a node that is behind would be recorded for ever as the result of this change.
    const atLeastSlot = BigInt(landed.landed.slot);
    const [rates] = await observeTransferFees(chain, [mintAddress], { atLeastSlot });
    // A fork took the mint back; the next round asks again.
    if (rates === undefined) return;
    await recordOnce(executor, { stream: token, streamId: tokenId }, changeBy(landed), cause, (state) =>
      tellLanded(state, { tokenId, transactionId }, rates),
    );
  },

  async recorded(landed, { executor }) {
    return (await executor.findLast(token, landed.subject.tokenId, changeBy(landed))).event;
  },
};

function changeBy({ transactionId, begunAt }: LandedDraft<TransferFeeChange>) {
  return {
    type: ['TransferFeeChanged', 'TransferFeeChangeLanded'],
    after: begunAt,
    matches: ({ data }: { readonly data: { readonly transactionId: string | null } }) =>
      data.transactionId === transactionId,
  } as const;
}
