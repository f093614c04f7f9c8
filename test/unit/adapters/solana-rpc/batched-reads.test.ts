/** What callers share of their questions to the chain. */
import { rentOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { joinReads } from '../../../../src/adapters/solana-rpc/batched-reads.ts';
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
  test('of all sizes follow from one answer a minute', async () => {
    let now = 0;
    const perByte = [10n, 20n];
    const asked: number[] = [];
    const chain = joinReads(
      chainWith({
        async rentExemption(size) {
          asked.push(size);
          return rentOf(size, perByte.shift() ?? 0n);
        },
      }),
      { now: () => new Date(now) },
    );
    const rents = () => Promise.all([chain.rentExemption(0), chain.rentExemption(165)]);
    expect(await rents()).toEqual([1_280n, 2_930n]);
    now = 59_999;
    expect(await rents()).toEqual([1_280n, 2_930n]);
    now = 60_000;
    expect(await rents()).toEqual([2_560n, 5_860n]);
    expect(asked).toEqual([0, 0]);
  });

  test('that could not be had are asked for again', async () => {
    let calls = 0;
    const chain = joinReads(
      chainWith({
        async rentExemption(size) {
          calls += 1;
          if (calls === 1) throw new ChainUnavailable('down');
          return rentOf(size, 5n);
        },
      }),
    );
    await expect(chain.rentExemption(1)).rejects.toThrow(ChainUnavailable);
    expect(await chain.rentExemption(1)).toBe(645n);
  });
});
