/** When a chain node that answers counts as one that does not keep up. */
import { describe, expect, test } from 'vitest';
import { CLOCK_SYSVAR } from '../../../src/chain/clock-sysvar.ts';
import type { ChainAccount, Commitment } from '../../../src/kernel/ports/chain.ts';
import { createNodeWatch, troubleOfNode } from '../../../src/operations/node-watch.ts';

const START = Date.parse('2026-05-04T10:00:00.000Z');
const LIMITS = { stall: 20_000, lag: 60_000 };

function clockAccount(slot: number, time: number): ChainAccount {
  const data = new Uint8Array(40);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, BigInt(slot), true);
  view.setBigInt64(32, BigInt(Math.floor(time / 1_000)), true);
  return { owner: 'Sysvar1111111111111111111111111111111111111', lamports: 1n, data };
}

/** A node that shows what the test says, and a watch of it. */
function watching() {
  const node = {
    now: START,
    confirmed: { slot: 100, time: START },
    finalized: { slot: 68, time: START - 13_000 },
    asked: 0,
  };
  const watch = createNodeWatch(
    {
      accounts: async (addresses: readonly string[], commitment: Commitment) => {
        node.asked += 1;
        const { slot, time } = node[commitment];
        return addresses.map((address) => (address === CLOCK_SYSVAR ? clockAccount(slot, time) : undefined));
      },
    },
    { now: () => new Date(node.now) },
  );
  return {
    node,
    trouble: async () => troubleOfNode(await watch.look(), node.now, LIMITS),
    pass(milliseconds: number, slots: number, { finality = slots } = {}) {
      node.now += milliseconds;
      node.confirmed = { slot: node.confirmed.slot + slots, time: node.confirmed.time + slots * 400 };
      node.finalized = { slot: node.finalized.slot + finality, time: node.finalized.time + finality * 400 };
    },
  };
}

describe('a node', () => {
  test('whose slot does not change stands still, until it changes', async () => {
    const { trouble, pass } = watching();
    await trouble();
    pass(20_000, 0);
    expect(await trouble()).toBeUndefined();
    pass(5_000, 0);
    expect(await trouble()).toBe("the node's slot has not changed for 25 s");
    pass(3_000, 70);
    expect(await trouble()).toBeUndefined();
  });

  test('whose blocks are old is behind', async () => {
    const { node, trouble, pass } = watching();
    node.confirmed.time -= 61_000;
    node.finalized.time -= 61_000;
    expect(await trouble()).toBe("the node's latest block is 61 s old");
    pass(4_000, 40);
    expect(await trouble()).toBeUndefined();
  });

  test('keeps up at its limits exactly', () => {
    const [now, age] = [START, LIMITS.lag / 1_000];
    const observation = (blockAge: number, finalAge: number) => ({
      confirmed: { slot: 100n, time: now / 1_000 - blockAge },
      finalized: { slot: 68n, time: now / 1_000 - finalAge },
      slotSince: now - LIMITS.stall,
      milliseconds: 1,
    });
    expect(troubleOfNode(observation(0, age), now, LIMITS)).toBeUndefined();
    expect(troubleOfNode(observation(age, age), now, LIMITS)).toBeUndefined();
  });

  test('on which nothing becomes final any more is in trouble', async () => {
    const { trouble, pass } = watching();
    for (let round = 0; round < 6; round += 1) {
      expect(await trouble()).toBeUndefined();
      pass(8_000, 20, { finality: 0 });
    }
    expect(await trouble()).toBe("the node's final block is 61 s behind its latest");
  });
});
