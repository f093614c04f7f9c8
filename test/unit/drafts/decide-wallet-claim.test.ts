// Who holds the claim on a wallet: nobody claims over a claim that was not looked at.
import { describe, expect, test } from 'vitest';
import { decideReclaim, decideWalletClaim } from '../../../src/drafts/decide-wallet-claim.ts';
import {
  DistributionWalletClaimed,
  DistributionWalletGenerated,
  distributionWallet,
} from '../../../src/streams/distribution-wallet.ts';
import { rejectionOf } from '../../support/command-spec.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

const { walletId, transactionId, otherTransactionId } = ids;
const { creator } = addresses;
const request = { walletId, transactionId, creator };
const generated = DistributionWalletGenerated({ walletId, address: addresses.distributionWallet });
const claimedBy = (id: string, earlier: string[] = []) =>
  DistributionWalletClaimed({ walletId, transactionId: id, creator, earlier });

function given(...claims: readonly ReturnType<typeof claimedBy>[]) {
  return [generated, ...claims].reduce(distributionWallet.evolve, distributionWallet.initial);
}

describe('a claim', () => {
  test('names the earlier drafts that are still open', () => {
    const earlier = [otherTransactionId];
    const facts = { isAsRead: true, earlier };
    expect(decideWalletClaim(given(), request, { isAsRead: true, earlier: [] })).toEqual([
      claimedBy(transactionId),
    ]);
    expect(decideWalletClaim(given(claimedBy(otherTransactionId)), request, facts)).toEqual([
      claimedBy(transactionId, earlier),
    ]);
  });

  test('is refused where another one came between, and made anew where that is the own one', () => {
    const facts = { isAsRead: false, earlier: [] };
    const other = given(claimedBy(otherTransactionId));
    expect(rejectionOf(() => decideWalletClaim(other, request, facts)).code).toBe('CONCURRENT_CHANGE');
    expect(rejectionOf(() => decideWalletClaim(given(), request, facts)).code).toBe('CONCURRENT_CHANGE');
    const own = given(claimedBy(transactionId, [otherTransactionId]));
    expect(decideWalletClaim(own, request, facts)).toEqual([claimedBy(transactionId, [otherTransactionId])]);
  });
});

describe('a claim that is taken back', () => {
  const third = ids.walletId;

  test('keeps the earlier drafts that the later claim names, but for itself', () => {
    const later = given(claimedBy(otherTransactionId, [transactionId, third]));
    expect(decideReclaim(later, request, { isAsRead: true })).toEqual([claimedBy(transactionId, [third])]);
  });

  test('waits where another one came between', () => {
    expect(decideReclaim(given(claimedBy(otherTransactionId)), request, { isAsRead: false })).toEqual([]);
    expect(decideReclaim(given(), request, { isAsRead: true })).toEqual([]);
  });
});
