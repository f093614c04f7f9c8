// The desk buys no more than it has and may spend, to the lamport.
import { expect, test } from 'vitest';
import { createDesk, type DeskOptions } from '../../../../src/distribution/selling/desk.ts';
import { ESTIMATE } from '../../../../src/distribution/selling/sale-venue.ts';
import { KEYRING, NOW, only, TOKEN } from '../../../support/run-examples.ts';

const RENT = 100n;
/** A lamport a base unit. */
const PRICED = { marketCap: 1_000_000n, supply: 1_000_000n };
const onSale = {
  mint: TOKEN.mint,
  decimals: 6,
  supply: PRICED.supply,
  tax: { epoch: 0n, basisPoints: 0, maximumFee: 0n },
};

function quote({
  held = 10_000n,
  budget,
  spent = 0n,
  mints = [TOKEN.mint],
  asked = [],
}: {
  /** Lamports of the desk. */
  readonly held?: bigint;
  readonly budget: bigint | undefined;
  readonly spent?: bigint;
  readonly mints?: readonly string[];
  /** Takes each look at the desk's accounts. */
  readonly asked?: string[];
}) {
  const account = { owner: '', data: new Uint8Array() };
  const desk = createDesk({
    chain: only<DeskOptions['chain']>('the chain', {
      async accounts([wallet = '']) {
        asked.push(wallet);
        return [
          { ...account, lamports: held },
          { ...account, lamports: 1n },
        ];
      },
      rentExemption: async () => RENT,
    }),
    clock: { now: () => NOW },
    key: KEYRING.desk,
    policy: { marketCap: PRICED.marketCap, mints, budget },
    isLocal: false,
    spent: async () => spent,
  });
  return desk.quote(onSale, 1_000n, ESTIMATE);
}

test.each([
  ['all where it may spend the whole price', 1_000n, 0n, 1_000n],
  ['what a lamport less pays', 999n, 0n, 999n],
  ['what is left of its budget', 1_000n, 700n, 300n],
  ['for the last lamport of it', 1_000n, 999n, 1n],
])('it buys %s', async (_what, budget, spent, amount) => {
  expect(await quote({ budget, spent })).toMatchObject({
    outcome: 'sale',
    sale: { amount, minimum: amount },
    expected: amount,
    basis: null,
  });
});

test.each([
  ['used up', 1_000n],
  ['overspent', 1_001n],
])('with a budget that is %s it buys nothing, and is not looked at or filled up', async (_what, spent) => {
  const asked: string[] = [];
  expect(await quote({ budget: 1_000n, spent, asked })).toEqual({
    outcome: 'refused',
    reason: 'desk-budget-spent',
  });
  expect(asked).toEqual([]);
});

test('it keeps what its account must hold', async () => {
  expect(await quote({ budget: 5_000n, held: RENT + 400n })).toMatchObject({ sale: { amount: 400n } });
  for (const held of [RENT, RENT - 1n, 0n])
    expect(await quote({ budget: 5_000n, held })).toEqual({ outcome: 'refused', reason: 'desk-empty' });
});

test('it buys listed tokens alone, and only with a budget', async () => {
  const { reason } = { reason: 'desk-not-allowed' };
  expect(await quote({ budget: 5_000n, mints: [] })).toEqual({ outcome: 'refused', reason });
  expect(await quote({ budget: undefined })).toEqual({ outcome: 'refused', reason: 'no-market' });
});
