// One change of a tax on the chain is told once, whoever comes first: the observer or the draft that made it.
import { describe, expect, test } from 'vitest';
import type { ObservedRates } from '../../../../src/chain/transfer-fees.ts';
import { tellLanded, tellObserved } from '../../../../src/drafts/observers/transfer-fee-observer.ts';
import {
  TokenCreated,
  type TokenEvent,
  type TokenState,
  TransferFeeChanged,
  TransferFeeChangeLanded,
  token,
} from '../../../../src/streams/token.ts';
import { addresses, token as creation, ids, signatures } from '../../../support/domain-examples.ts';

const { tokenId } = creation;
const change = { tokenId, transactionId: ids.transactionId };
const created = TokenCreated({
  creator: addresses.creator,
  transactionId: ids.transactionId,
  signature: signatures.first,
  token: creation,
});
const born = { basisPoints: creation.transferFeeBasisPoints, maximum: null };
const before: ObservedRates = { ...born, pending: null, slot: '90' };
const changed: ObservedRates = {
  ...born,
  pending: { basisPoints: 7, maximum: null, fromEpoch: '812' },
  slot: '100',
};
const valid: ObservedRates = { basisPoints: 7, maximum: null, pending: null, slot: '200' };

const stateAfter = (...events: readonly TokenEvent[]): TokenState =>
  events.reduce(token.evolve, token.initial);

/** What the observer records that asked the chain when it knew what is recorded by now. */
function observing(observed: ObservedRates, ...given: readonly TokenEvent[]): readonly TokenEvent[] {
  const state = stateAfter(...given);
  if (state === undefined) throw new Error('there is no token');
  return tellObserved(state, tokenId, { seen: state.transferFee, observed });
}

const landing = (observed: ObservedRates, ...given: readonly TokenEvent[]): TokenEvent =>
  tellLanded(stateAfter(...given), change, observed);

const byObserver = TransferFeeChanged({ tokenId, transactionId: null, ...changed });
const byDraft = TransferFeeChanged({ ...change, ...changed });

describe('a change that a draft made', () => {
  test('is told by the draft where it comes first, and not again by the observer', () => {
    expect(landing(changed, created)).toEqual(byDraft);
    expect(observing({ ...changed, slot: '101' }, created, byDraft)).toEqual([]);
  });

  test('is told by the observer where it comes first; the draft is recorded without telling it again', () => {
    expect(observing(changed, created)).toEqual([byObserver]);
    expect(landing({ ...changed, slot: '101' }, created, byObserver)).toEqual(
      TransferFeeChangeLanded({ ...change, ...changed }),
    );
  });

  test('is not told again by a draft that settles once its rate is valid and was told as such', () => {
    const [becameValid] = observing(valid, created, byObserver);
    expect(becameValid).toEqual(TransferFeeChanged({ tokenId, transactionId: null, ...valid }));
    if (becameValid === undefined) return;
    expect(landing({ ...valid, slot: '201' }, created, byObserver, becameValid)).toEqual(
      TransferFeeChangeLanded({ ...change, ...valid }),
    );
  });

  test('is told once, and once more when it becomes valid, by whoever sees that first', () => {
    expect(landing(valid, created, byObserver)).toEqual(TransferFeeChanged({ ...change, ...valid }));
    expect(observing(valid, created, byDraft)).toEqual([
      TransferFeeChanged({ tokenId, transactionId: null, ...valid }),
    ]);
  });
});

describe('a node that is behind', () => {
  test('takes nothing back that was told, and so nothing is told twice', () => {
    expect(observing(before, created, byDraft)).toEqual([]);
    expect(observing(changed, created, TransferFeeChanged({ ...change, ...valid }))).toEqual([]);
  });

  test('does not make a draft tell what a later change has replaced', () => {
    const later = { ...changed, pending: { basisPoints: 9, maximum: '5', fromEpoch: '813' }, slot: '150' };
    const toldLater = TransferFeeChanged({ tokenId, transactionId: null, ...later });
    expect(landing(changed, created, toldLater)).toEqual(TransferFeeChangeLanded({ ...change, ...later }));
  });

  test('is believed where nothing says which slot was seen before: versions before did not note it', () => {
    const old = TransferFeeChanged({ ...change, ...changed, slot: null });
    expect(observing(valid, created, old)).toHaveLength(1);
  });
});

test('an observation that began before something was recorded is left to the next round', () => {
  expect(
    tellObserved(stateAfter(created, byDraft), tokenId, { seen: before, observed: { ...valid, slot: '99' } }),
  ).toEqual([]);
});

test('a token that a fork took back is told nothing of', () => {
  expect(tellObserved(undefined, tokenId, { seen: before, observed: changed })).toEqual([]);
});
