// The key of a run is lent more only when a final look shows that it cannot pay the next fee.
import { describe, expect, test } from 'vitest';
import { GONE_AFTER, LOOKS_UNTIL_GONE } from '../../../../src/distribution/absences.ts';
import { dryKey } from '../../../../src/distribution/paying/dry-key.ts';
import { createPayingMemory } from '../../../../src/distribution/paying/paying.ts';
import { paymentsToLend } from '../../../../src/distribution/run-keys/lending.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { delegate, runAllotted } from '../../../support/distribution-examples.ts';
import { NOW, only } from '../../../support/run-examples.ts';

const RENT = 890_880n;
const FEE = 5_000n;
const [example] = runAllotted.data.pots;
if (example === undefined) throw new Error('the example has a pot');
const planned = { ...example, asset: 'token', from: 0, to: 130 } as const;

function scene(held: bigint | undefined, from = 0) {
  const asked: unknown[] = [];
  const chain = only<Chain>('the chain', {
    async accountsAt(addresses, commitment, options) {
      asked.push([addresses, commitment, options]);
      const account = held === undefined ? undefined : { owner: '', lamports: held, data: new Uint8Array() };
      return { slot: 4_199n + BigInt(asked.length), accounts: [account] };
    },
    rentExemption: async () => RENT,
  });
  const paying = { memory: createPayingMemory(4_130n), absences: new Map() };
  const parts = {
    chain,
    now: () => NOW.getTime() + 500 * (asked.length - 1),
    recipients: { sol: 61, token: 59 },
  };
  const plan = { pot: 0, value: '1', from, to: from + 59, without: [] };
  const look = () => dryKey(parts, paying, { planned, plan, fee: FEE });
  return { look, third: async () => [await look(), await look(), await look()].at(-1), paying, asked };
}

describe('a key', () => {
  test('that keeps its rent after the fee is not dry', async () => {
    expect(await scene(RENT + FEE).look()).toBeUndefined();
  });

  test('that would keep a lamport less is lent the fees of all payments that are left', async () => {
    expect(await scene(RENT + FEE - 1n).third()).toEqual({
      outcome: 'key-dry',
      key: delegate,
      // 130 payments, 59 in a transaction.
      payments: paymentsToLend(3),
    });
    expect(await scene(RENT, 118).third()).toMatchObject({ payments: paymentsToLend(1) });
  });

  test('is not lent more because of one answer, or two', async () => {
    const { look, paying } = scene(RENT);
    for (let answers = 1; answers <= 2; answers++)
      expect(await look()).toMatchObject({ outcome: 'waiting', for: { code: 'node-behind' } });
    expect(await look()).toMatchObject({ outcome: 'key-dry' });
    expect(paying.absences.size).toBe(0);
  });

  test('is looked at as final, no earlier than the last loan', async () => {
    const { look, asked } = scene(RENT + FEE);
    await look();
    expect(asked).toEqual([[[delegate], 'finalized', { atLeastSlot: 4_130n, elsewhere: false }]]);
  });

  test('that a node hides is not lent more, until it is gone', async () => {
    const { look, paying, asked } = scene(undefined);
    expect(await look()).toMatchObject({ outcome: 'waiting', for: { code: 'node-behind' } });
    paying.absences.set(`the key ${delegate}`, {
      looks: LOOKS_UNTIL_GONE - 1,
      slot: 4_199n,
      since: NOW.getTime() - GONE_AFTER,
    });
    expect(await look()).toMatchObject({ outcome: 'key-dry' });
    expect(asked.at(-1)).toMatchObject([[delegate], 'finalized', { elsewhere: true }]);
    expect(paying.absences.size).toBe(0);
  });
});
