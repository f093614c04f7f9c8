import { expect, test } from 'vitest';
import { meterOf } from '../../../../src/distribution/paying/meters.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { TOKEN, tokenAccount } from '../../../support/run-examples.ts';

test('a meter is what the delegate may still spend of what the wallet’s account holds', () => {
  const delegate = TOKEN.distributor.address;
  const meters = [
    tokenAccount({ amount: 70n, delegate, delegated: 70n }),
    tokenAccount({ amount: 60n, delegate, delegated: 70n }),
    tokenAccount({ amount: 80n, delegate, delegated: 70n }),
    // All is spent: the chain has taken the delegate away.
    tokenAccount({ amount: 5n }),
    tokenAccount({ amount: 70n, delegate: addresses.creator, delegated: 70n }),
    undefined,
    tokenAccount({ owner: addresses.creator, amount: 70n, delegate, delegated: 70n }),
  ].map((account) => meterOf(account, { delegate }, TOKEN));
  expect(meters).toEqual([70n, 60n, 70n, 0n, 0n, 'missing', 'missing']);
});
