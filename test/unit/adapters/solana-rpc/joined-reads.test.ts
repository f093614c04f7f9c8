/** What callers share of their questions to the chain. */
import { describe, expect, test } from 'vitest';
import { joinReads } from '../../../../src/adapters/solana-rpc/joined-reads.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';

/** A chain of which only the named methods are asked. */
function chainWith(methods: Partial<Chain>): Chain {
  return methods as Chain;
}

const account = (lamports: bigint) => ({ owner: 'owner', lamports, data: new Uint8Array() });

describe('questions of the same turn', () => {
  test('become one call, in which each address stands once', async () => {
    const calls: (readonly string[])[] = [];
    const chain = joinReads(
      chainWith({
        async accounts(addresses) {
          calls.push(addresses);
          return addresses.map((address) => (address === 'none' ? undefined : account(BigInt(address))));
        },
      }),
    );
    const answers = await Promise.all([
      chain.accounts(['1', '2'], 'confirmed'),
      chain.balance('2'),
      chain.balance('none'),
    ]);
    expect(answers).toEqual([[account(1n), account(2n)], 2n, 0n]);
    expect(calls).toEqual([['1', '2', 'none']]);
  });

  test('are kept apart by commitment and by the slot that they must have reached', async () => {
    const calls: unknown[] = [];
    const chain = joinReads(
      chainWith({
        async accounts(...call) {
          calls.push(call);
          return call[0].map(() => undefined);
        },
      }),
    );
    await Promise.all([
      chain.accounts(['1'], 'confirmed'),
      chain.accounts(['1'], 'finalized'),
      chain.accounts(['1'], 'finalized', { atLeastSlot: 7n }),
    ]);
    expect(calls).toEqual([
      [['1'], 'confirmed', {}],
      [['1'], 'finalized', {}],
      [['1'], 'finalized', { atLeastSlot: 7n }],
    ]);
  });

  test('are asked anew in the next turn: no answer is older than its question', async () => {
    let slot = 0;
    const chain = joinReads(chainWith({ epoch: async () => BigInt(++slot) }));
    expect(await Promise.all([chain.epoch(), chain.epoch()])).toEqual([1n, 1n]);
    expect(await chain.epoch()).toBe(2n);
  });

  test('do not suffer from one among them that the node refuses', async () => {
    const chain = joinReads(
      chainWith({
        async statuses(signatures) {
          if (signatures.includes('senseless')) throw new ChainAnswerInvalid('senseless');
          return signatures.map(() => undefined);
        },
      }),
    );
    const [good, bad] = await Promise.allSettled([chain.statuses(['good']), chain.statuses(['senseless'])]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
  });
});

describe('rents', () => {
  test('are asked once a minute for each size', async () => {
    let now = 1;
    const asked: number[] = [];
    const chain = joinReads(
      chainWith({
        async rentExemption(size) {
          asked.push(size);
          return BigInt(asked.length);
        },
      }),
      () => now,
    );
    expect(await Promise.all([chain.rentExemption(1), chain.rentExemption(1)])).toEqual([1n, 1n]);
    now = 60_001;
    expect([await chain.rentExemption(1), await chain.rentExemption(2)]).toEqual([1n, 2n]);
    now = 60_002;
    expect(await chain.rentExemption(1)).toBe(3n);
    expect(asked).toEqual([1, 2, 1]);
  });

  test('that could not be had are asked for again', async () => {
    let calls = 0;
    const chain = joinReads(
      chainWith({
        async rentExemption() {
          calls += 1;
          if (calls === 1) throw new ChainUnavailable('down');
          return 5n;
        },
      }),
    );
    await expect(chain.rentExemption(1)).rejects.toThrow(ChainUnavailable);
    expect(await chain.rentExemption(1)).toBe(5n);
  });
});
