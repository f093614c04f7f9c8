// What a closed run's ledger says of each wallet, for the read model of wallets.
import { describe, expect, test } from 'vitest';
import { createLedgers } from '../../../../src/distribution/ledger/open-ledgers.ts';
import { readWalletShares } from '../../../../src/distribution/ledger/read-wallet-shares.ts';
import type { WalletShareDocument } from '../../../../src/projections/wallet-shares.ts';
import { allotPlainly, blobsOf, makeSettlement, ownerOf } from '../../../support/ledger-files.ts';

// More than two slices, and every seventh holder holds nothing.
const balances = Array.from({ length: 1_200 }, (_, index) => (index % 7 === 3 ? 0n : BigInt(100 + index)));
const allotment = allotPlainly(balances, { asset: 'sol', model: 'proportional', divided: 10_000_000n });
const settlement = makeSettlement(allotment, {
  stretch: (index) => 1 + (index % 61),
  lands: (index) => index % 5 !== 0,
  refuses: (_asset, number) => (number % 50 === 7 ? 'frozen' : undefined),
});
const run = {
  tokenId: 'token',
  runId: 'run',
  closedAt: '2026-05-04T10:00:00.000Z',
  carried: {
    kept: { developer: '0', holders: '0' },
    ownTax: { developer: '0', holders: '0' },
    owed: { sol: '0', token: '0' },
    dust: { sol: '0', token: '0' },
    root: allotment.root,
    ledger: allotment.sha256,
    settlement: settlement.sha256,
  },
};

type Shares = AsyncIterable<readonly { readonly key: string; readonly document: unknown }[]>;

async function all(shares: Shares) {
  const slices: { readonly key: string; readonly document: WalletShareDocument }[][] = [];
  for await (const slice of shares) slices.push([...slice] as never);
  return slices;
}

describe('the shares of wallets', () => {
  test('are what the ledger says was paid and is owed, each wallet once, and only of those that earned something', async () => {
    const ledgers = createLedgers(blobsOf(allotment, settlement));
    const slices = await all(readWalletShares(ledgers, run));
    const found = new Map(slices.flat().map(({ key, document }) => [key, document]));
    expect(slices.flat()).toHaveLength(found.size);
    expect(Math.max(...slices.map(({ length }) => length)), 'in slices').toBeLessThanOrEqual(512);
    const ledger = await ledgers.open({ ledger: allotment.sha256, settlement: settlement.sha256 });
    let left = 0;
    for (const wallet of new Set(allotment.records.map(({ owner }) => owner))) {
      const payments = await ledger.paymentsOf(wallet);
      const hasEarned = payments.some(({ owedAfter, paidAfter }) => owedAfter > 0n || paidAfter > 0n);
      if (!hasEarned) left += 1;
      expect([wallet, found.get(`token/${wallet}`)]).toEqual([
        wallet,
        hasEarned
          ? {
              wallet,
              tokenId: 'token',
              runId: 'run',
              closedAt: run.closedAt,
              parts: payments.map(({ kind, asset, paidAfter, owedAfter, reason }) => ({
                kind,
                asset,
                paid: `${paidAfter}`,
                owed: `${owedAfter}`,
                reason,
              })),
            }
          : undefined,
      ]);
    }
    expect(left).toBeGreaterThan(0);
    // The developer holds the token as well, and somebody is owed the other asset.
    expect(found.get(`token/${ownerOf(0)}`)?.parts.map(({ kind }) => kind)).toEqual(['developer', 'holder']);
    expect(found.get(`token/${ownerOf(1)}`)?.parts.map(({ asset }) => asset)).toEqual(['sol', 'token']);
  });

  test('are none before the first ledger', async () => {
    const carried = { ...run.carried, ledger: null, settlement: null };
    expect(await all(readWalletShares(createLedgers(blobsOf()), { ...run, carried }))).toEqual([]);
  });
});
