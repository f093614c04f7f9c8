// What the engine signs: its limits, its price and its fee.
import { decodeTransaction, transactionSignature } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { memoInstruction } from '../../../../src/chain/memo-instruction.ts';
import { createSender, SIGNATURE_FEE } from '../../../../src/distribution/sending/sender.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { only, TOKEN } from '../../../support/run-examples.ts';

const { distributor, wallet, mint } = TOKEN;
const MEMO = [memoInstruction([wallet.address], 'x')];
const BLOCKHASH = { blockhash: mint, lastValidBlockHeight: 600n };

function scene({ prices = [] as readonly bigint[], maximumPrice = 1_000_000n, units = 9 } = {}) {
  const simulated: unknown[] = [];
  const sent: Uint8Array[] = [];
  const chain = only<Chain>('the chain', {
    recentPrices: async () => prices,
    async simulate(wire, options) {
      simulated.push([wire, options]);
      return { slot: 1n, error: undefined, logs: [], unitsConsumed: units };
    },
    async send(wire) {
      sent.push(wire);
    },
  });
  return { sender: createSender({ chain, maximumPrice }), simulated, sent };
}

function messageOf(wire: Uint8Array) {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) throw new Error('it is a transaction');
  return decoded.transaction.message;
}

describe('what is signed', () => {
  test('is paid by the first key, and costs what it says', async () => {
    const { sender, sent } = scene();
    const signed = await sender.sign(MEMO, [distributor, wallet], 1_000, BLOCKHASH);
    expect(signed).toMatchObject({ lastValidBlockHeight: 600n, fee: 2n * SIGNATURE_FEE });
    expect(signed.signature).toBe(transactionSignature(signed.wire));
    await sender.send(signed);
    expect(sent).toEqual([signed.wire]);
  });

  test('needs somebody who pays', async () => {
    await expect(scene().sender.sign(MEMO, [], 1_000, BLOCKHASH)).rejects.toThrow(
      'the transaction has no payer',
    );
  });
});

describe('the price of what is signed', () => {
  test.each([
    ['is none before recent prices are known', undefined, 1_000_000n, 0n],
    ['is the median of recent prices', [30_000n, 10_000n, 20_000n], 1_000_000n, 125n],
    ['is rounded up to a lamport', [1n, 20_001n, 30_000n], 1_000_000n, 126n],
    ['is the operator’s maximum at most', [20_000n], 10_000n, 63n],
  ] as const)('%s', async (_what, prices, maximumPrice, priority) => {
    const { sender } = scene({ prices, maximumPrice });
    if (prices !== undefined) await sender.price([wallet.address]);
    const { wire, fee } = await sender.sign(MEMO, [distributor, wallet], 1_000, BLOCKHASH);
    // 1,000 units, a quarter more and 5,000.
    const config = { computeUnitLimit: 6_250, loadedAccountsDataSizeLimit: 8 * 1_024 * 1_024 };
    expect(messageOf(wire).config).toEqual(
      priority === 0n
        ? expect.objectContaining(config)
        : expect.objectContaining({ ...config, priorityFee: priority }),
    );
    if (priority === 0n) expect(messageOf(wire).config?.priorityFee ?? 0n).toBe(0n);
    expect(fee).toBe(2n * SIGNATURE_FEE + priority);
  });
});

test.each([
  [0, 40_000],
  [1, 40_000],
  [39_999, 40_000],
  [40_001, 40_001],
  [1_400_000, 1_400_000],
  [4_000_000_000, 1_400_000],
])('a simulation that reports %i units is taken for one of %i', async (units, taken) => {
  const { sender } = scene({ units });
  expect((await sender.simulate(MEMO, distributor.address)).unitsConsumed).toBe(taken);
});

test('a simulation takes any blockhash, and a caller may ask for a slot', async () => {
  const { sender, simulated } = scene();
  const { wire } = await sender.simulate(MEMO, distributor.address, { atLeastSlot: 42n });
  await sender.simulate(MEMO, distributor.address);
  expect(simulated).toEqual([
    [wire, { atLeastSlot: 42n, anyBlockhash: true }],
    [wire, { anyBlockhash: true }],
  ]);
  expect(messageOf(wire).accountKeys).toHaveLength(3);
});
