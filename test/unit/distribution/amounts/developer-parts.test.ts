import fc from 'fast-check';
import { expect, test } from 'vitest';
import { developerParts } from '../../../../src/distribution/amounts/developer-parts.ts';

const partnerShare = { partner: 'acme', wallet: 'partner', basisPoints: 3_333 };
const wallets = (...basisPoints: readonly number[]) =>
  basisPoints.map((each, index) => ({ wallet: `wallet ${index}`, basisPoints: each }));

test('each wallet gets its basis points, rounded down, and the developer the rest', () => {
  const settings = { developerWallet: 'developer', developerWallets: wallets(1, 2_500), partnerShare };
  expect([...developerParts(settings, 10_001n)]).toEqual([
    ['partner', 3_333n],
    ['wallet 0', 1n],
    ['wallet 1', 2_500n],
    ['developer', 4_167n],
  ]);
  expect([...developerParts(settings, 9_999n)]).toEqual([
    ['partner', 3_332n],
    ['wallet 1', 2_499n],
    ['developer', 4_168n],
  ]);
});

test('the parts are positive, and their sum is the amount', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 10 });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      shares,
      fc.boolean(),
      (amount, shared, isPartner) => {
        const settings = {
          developerWallet: 'developer',
          developerWallets: wallets(...shared),
          ...(isPartner && { partnerShare: { ...partnerShare, basisPoints: 1_000 } }),
        };
        const parts = [...developerParts(settings, amount).values()];
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount);
        expect(parts.every((part) => part > 0n)).toBe(true);
      },
    ),
  );
});
