// The states of what only one draft may hold at a time: a distribution wallet, and a nonce account.
import { describe, expect, test } from 'vitest';
import {
  DistributionWalletClaimed,
  type DistributionWalletEvent,
  DistributionWalletGenerated,
  distributionWallet,
} from '../../../src/streams/distribution-wallet.ts';
import {
  hadValue,
  type NonceAccountEvent,
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
  nonceAccount,
} from '../../../src/streams/nonce-account.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

const { transactionId, otherTransactionId, walletId } = ids;

describe('a distribution wallet', () => {
  const stateAfter = (...events: readonly DistributionWalletEvent[]) =>
    events.reduce(distributionWallet.evolve, distributionWallet.initial);
  const generated = DistributionWalletGenerated({ walletId, address: addresses.distributionWallet });
  const claimed = (by: string, creator: string = addresses.creator) =>
    DistributionWalletClaimed({ walletId, transactionId: by, creator });

  test('belongs to nobody once it is generated', () => {
    expect(stateAfter(generated)).toEqual({
      walletId,
      address: addresses.distributionWallet,
      claim: undefined,
    });
  });

  test('belongs to the draft that claimed it last', () => {
    expect(stateAfter(generated, claimed(transactionId))?.claim).toEqual({
      transactionId,
      creator: addresses.creator,
    });
    expect(
      stateAfter(generated, claimed(transactionId), claimed(otherTransactionId, addresses.otherCreator))
        ?.claim,
    ).toEqual({
      transactionId: otherTransactionId,
      creator: addresses.otherCreator,
    });
  });

  test('that was never generated cannot be claimed', () => {
    expect(stateAfter(claimed(transactionId))).toBeUndefined();
  });
});

describe('a nonce account', () => {
  const stateAfter = (...events: readonly NonceAccountEvent[]) =>
    events.reduce(nonceAccount.evolve, nonceAccount.initial);
  const account = addresses.nonceAccount;
  const value = addresses.nonceValue;
  const opened = NonceAccountOpened({ account, index: 3, value });
  const leased = NonceLeased({ account, transactionId, value });

  test('is free under its first value once it is opened', () => {
    expect(stateAfter(opened)).toEqual({ account, value, formerValues: [], lease: undefined });
  });

  test('is leased to one draft, under the same value', () => {
    expect(stateAfter(opened, leased)).toEqual({ account, value, formerValues: [], lease: transactionId });
  });

  test('that comes back from a draft that was never submitted keeps its value', () => {
    expect(stateAfter(opened, leased, NonceReturned({ account, transactionId }))).toEqual(stateAfter(opened));
  });

  test('that comes back from a draft that was submitted has a new value', () => {
    const renewed = NonceRenewed({ account, transactionId, value: addresses.nextNonceValue });
    expect(stateAfter(opened, leased, renewed)).toEqual({
      account,
      value: addresses.nextNonceValue,
      formerValues: [value],
      lease: undefined,
    });
  });

  test('knows the values that it had lately, and no more of them however long it is used', () => {
    const values = Array.from({ length: 100 }, (_, index) => `value-${index}`);
    const state = stateAfter(
      opened,
      ...values.flatMap((next) => [leased, NonceRenewed({ account, transactionId, value: next })]),
    );
    if (state === undefined) throw new Error('the account is there');
    expect(state.formerValues).toHaveLength(32);
    for (const lately of values.slice(-33)) expect([lately, hadValue(state, lately)]).toEqual([lately, true]);
    expect(hadValue(state, 'value-100')).toBe(false);
  });

  test('that was never opened is nothing, whatever is said of it', () => {
    const renewed = NonceRenewed({ account, transactionId, value });
    expect(stateAfter(leased, NonceReturned({ account, transactionId }), renewed)).toBeUndefined();
  });
});
