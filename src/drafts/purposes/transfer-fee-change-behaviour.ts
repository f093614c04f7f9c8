/**
 * Drafts that change a token's tax: the creator signs, and the chain determines the epoch of the new rate. If the observer has
 * already recorded the change, only the landed draft is recorded.
 */

import type { ObservedRates } from '../../chain/transfer-fees.ts';
import type { TransferFeeChange } from '../../streams/purposes/transfer-fee-change.ts';
import { type TokenEvent, type TokenState, token } from '../../streams/token.ts';
import { landedChange, observeTransferFees } from '../observers/transfer-fee-observer.ts';
import { memoSigners, type PurposeBehaviour } from './purpose-behaviour.ts';

export const transferFeeChange: PurposeBehaviour<TransferFeeChange> = {
  kind: 'transfer-fee-change',

  signers: memoSigners,

  async record(landed, { executor, chain }, cause) {
    const { transactionId, subject } = landed;
    const { tokenId, mintAddress } = subject;
    // Require the slot of the landing, since the response of a lagging node would be recorded permanently as the result of this
    // change.
    const atLeastSlot = BigInt(landed.landed.slot);
    const [rates] = await observeTransferFees(chain, [mintAddress], { atLeastSlot });
    // A fork has reverted the mint; the next round tries again.
    if (rates === undefined) return;
    await executor.execute(token, tokenId, cause, (state, { events }) =>
      decideLanded(state, events, { tokenId, transactionId, rates }),
    );
  },

  async recorded({ transactionId, subject: { tokenId } }, { executor }) {
    const { events } = await executor.load(token, tokenId, { trust: 'cached' });
    return events.filter(isChange).find(({ data }) => data.transactionId === transactionId);
  },
};

export function decideLanded(
  state: TokenState,
  events: readonly TokenEvent[],
  {
    tokenId,
    transactionId,
    rates,
  }: { readonly tokenId: string; readonly transactionId: string; readonly rates: ObservedRates },
): readonly TokenEvent[] {
  const isRecorded = events.some((event) => isChange(event) && event.data.transactionId === transactionId);
  if (isRecorded) return [];
  return [landedChange(state, { tokenId, transactionId }, rates)];
}

function isChange<Event extends TokenEvent>(
  event: Event,
): event is Extract<Event, { readonly type: 'TransferFeeChanged' | 'TransferFeeChangeLanded' }> {
  return event.type === 'TransferFeeChanged' || event.type === 'TransferFeeChangeLanded';
}
