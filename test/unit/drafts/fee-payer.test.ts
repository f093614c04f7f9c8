// The service's fee payer: how old its balance may be, and when it asks a local chain for more.
import { expect, test } from 'vitest';
import { createFeePayer } from '../../../src/drafts/fee-payer.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import { addresses } from '../../support/domain-examples.ts';

const FLOOR = 1_000_000_000n;
/** Ten times the floor, and a tenth of what is asked for at a time. */
const ENOUGH = 20_000_000_000n;
const REFILL = 100_000_000_000n;

function payer(lamports: bigint) {
  const at = { now: 0, lamports, looks: 0 };
  const asked: (readonly [address: string, lamports: bigint])[] = [];
  const chain: Pick<Chain, 'balance' | 'airdrop'> = {
    async balance(address) {
      expect(address).toBe(addresses.creator);
      at.looks += 1;
      return at.lamports;
    },
    async airdrop(address, more) {
      asked.push([address, more]);
      at.lamports += more;
    },
  };
  const feePayer = createFeePayer({
    givesLamports: true,
    chain: chain as Chain,
    clock: { now: () => new Date(at.now) },
    address: addresses.creator,
    floor: FLOOR,
  });
  return { at, asked, feePayer };
}

test('its balance is looked up again after five seconds, and not before', async () => {
  const { at, feePayer } = payer(7n);
  expect(await feePayer.balance()).toBe(7n);
  at.lamports = 8n;
  at.now = 4_999;
  expect([await feePayer.balance(), at.looks]).toEqual([7n, 1]);
  at.now = 5_000;
  expect([await feePayer.balance(), at.looks]).toEqual([8n, 2]);
  at.now = 9_999;
  expect([await feePayer.balance(), at.looks]).toEqual([8n, 2]);
});

test('it asks for more below ten times its floor and a tenth of a refill, and for nothing from there on', async () => {
  const rich = payer(ENOUGH);
  await rich.feePayer.refill();
  expect(rich.asked).toEqual([]);
  const poor = payer(ENOUGH - 1n);
  await poor.feePayer.refill();
  expect(poor.asked).toEqual([[addresses.creator, REFILL]]);
  // What it has got counts at once.
  expect(await poor.feePayer.balance()).toBe(ENOUGH - 1n + REFILL);
  await poor.feePayer.refill();
  expect(poor.asked).toHaveLength(1);
});
