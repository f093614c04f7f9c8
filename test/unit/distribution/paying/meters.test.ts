// What is left of each pot's allowance, as finalized reads show it.
import { expect, test } from 'vitest';
import type { Absence } from '../../../../src/distribution/absences.ts';
import { readMeters } from '../../../../src/distribution/paying/meters.ts';
import type { OpenPot } from '../../../../src/distribution/paying/paying.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { nodeShowing, TOKEN, tokenAccount } from '../../../support/run-examples.ts';
import { numberedOwner } from '../../../support/scanned.ts';

const delegate = TOKEN.distributor.address;
const pot = (number: number) => ({ planned: { address: numberedOwner(number), delegate } }) as OpenPot;
const left = (amount: bigint, by = delegate) => tokenAccount({ amount, delegate: by, delegated: amount });

function metersOf(
  accounts: readonly (ChainAccount | undefined)[],
  { slot = 4_200n, since = 4_100n, absent = [] as readonly number[] } = {},
) {
  const memory = { slot: since };
  const shown = Object.fromEntries(accounts.map((account, number) => [numberedOwner(number), account]));
  const { chain, asked } = nodeShowing(shown, { slot });
  const absences = new Map(
    absent.map((number) => [`the pot ${numberedOwner(number)}`, { looks: 1, slot: 1n, since: 0 } as Absence]),
  );
  const meters = readMeters(
    chain,
    { memory, token: TOKEN, absences } as unknown as Parameters<typeof readMeters>[1],
    accounts.map((_, number) => pot(number)),
  );
  return { meters, memory, asked };
}

test('a meter is what the delegate may still spend', async () => {
  const { meters } = metersOf([
    left(70n),
    // All is spent: the chain has taken the delegate away.
    tokenAccount({ amount: 5n }),
    left(70n, addresses.creator),
    undefined,
    tokenAccount({ owner: addresses.creator, amount: 70n, delegate, delegated: 70n }),
  ]);
  expect(await meters).toEqual([70n, 0n, 0n, 'missing', 'missing']);
});
