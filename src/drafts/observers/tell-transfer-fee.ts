/** Decides what is recorded when the chain shows a tax: a change is published once, by the observer or by the draft that made it. */
import { newsOf, type ObservedRates, sameRates, type TransferFeeRates } from '../../chain/transfer-fees.ts';
import {
  type TokenEvent,
  type TokenState,
  TransferFeeChanged,
  TransferFeeChangeLanded,
} from '../../streams/token.ts';

interface Change {
  readonly tokenId: string;
  readonly transactionId: string;
}

/** `seen` is what was known when the chain was asked: what was recorded since may be newer than the chain's answer. */
export function tellObserved(
  state: TokenState,
  tokenId: string,
  { seen, observed }: { readonly seen: TransferFeeRates; readonly observed: ObservedRates },
): readonly TokenEvent[] {
  if (state?.exists !== true || !sameRates(state.transferFee, seen)) return [];
  if (newsOf(state.transferFee, observed) !== 'changed') return [];
  return [TransferFeeChanged({ tokenId, transactionId: null, ...observed })];
}

/** Every landed draft gets an event that names it, whether its change is news or not. */
export function tellLanded(state: TokenState, change: Change, observed: ObservedRates): TokenEvent {
  const known = state?.transferFee;
  return known === undefined || newsOf(known, observed) === 'changed'
    ? TransferFeeChanged({ ...change, ...observed })
    : TransferFeeChangeLanded({ ...change, ...known });
}
