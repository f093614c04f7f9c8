/**
 * Drafts that change a token's tax: only the creator signs, and the chain says from which epoch the new rate applies.
 */

import { observeTransferFees } from '../../observers/observe-transfer-fees.ts';
import type { TransferFeeChange } from '../../streams/purposes/transfer-fee-change.ts';
import { TransferFeeChanged, token } from '../../streams/token.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';

export const transferFeeChange: PurposeBehaviour<TransferFeeChange> = {
  kind: 'transfer-fee-change',

  signers: () => [],

  async record({ transactionId, subject: { tokenId, mintAddress }, landed }, { executor, chain }, cause) {
    // The answer of a node that is behind would be recorded for ever as the result of this change.
    const [rates] = await observeTransferFees(chain, [mintAddress], { atLeastSlot: BigInt(landed.slot) });
    // A fork took the mint back; the next round asks again.
    if (rates === undefined) return;
    await executor.execute(token, tokenId, cause, (_state, { events }) =>
      events.some(({ type, data }) => type === 'TransferFeeChanged' && data.transactionId === transactionId)
        ? []
        : [TransferFeeChanged({ tokenId, transactionId, ...rates })],
    );
  },

  async recorded({ transactionId, subject: { tokenId } }, { executor }) {
    const { events } = await executor.load(token, tokenId);
    return events
      .filter((event) => event.type === 'TransferFeeChanged')
      .find(({ data }) => data.transactionId === transactionId);
  },
};
