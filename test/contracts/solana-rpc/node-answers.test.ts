// Answers of a node that contradict the chain are not believed: other rents than the sysvar's, more data than was requested.
import { MEMO_PROGRAM, RENT_SYSVAR, SYSVAR_OWNER } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { ChainAnswerInvalid } from '../../../src/kernel/ports/chain.ts';
import { openChainProxy } from '../../support/chain-proxy.ts';

/** Node that returns these accounts to account requests, and a number to every other request. */
async function nodeWith(value: readonly unknown[]) {
  const { url, asked, treat } = await openChainProxy('http://127.0.0.1:9');
  treat(({ method }) => ({
    kind: 'result',
    result: method === 'getMultipleAccounts' ? { context: { slot: 10 }, value } : 3_000_000_000,
  }));
  return { chain: createNodeChain({ url }), asked };
}

function rentSysvar(perByteYear: bigint) {
  const rates = Buffer.alloc(17);
  rates.writeBigUInt64LE(perByteYear);
  rates.writeDoubleLE(2, 8);
  return { lamports: 1, owner: SYSVAR_OWNER, data: [rates.toString('base64'), 'base64'] };
}

test('rents come from the sysvar, as finalized', async () => {
  const { chain, asked } = await nodeWith([rentSysvar(3_480n)]);
  expect([await chain.rentExemption(165), await chain.rentExemption(0)]).toEqual([2_039_280n, 890_880n]);
  for (const { method, params } of asked)
    expect([method, ...params]).toMatchObject([
      'getMultipleAccounts',
      [RENT_SYSVAR],
      { commitment: 'finalized' },
    ]);
});

test.each([0n, 173n, 3_481n, 5_119_454n])('a rate of %i is no answer', async (perByteYear) => {
  const { chain } = await nodeWith([rentSysvar(perByteYear)]);
  await expect(chain.rentExemption(165)).rejects.toThrow(ChainAnswerInvalid);
});

test('no more of the data is given than was asked for, although the node sends all', async () => {
  const data = [Buffer.alloc(1_000, 7).toString('base64'), 'base64'];
  const { chain, asked } = await nodeWith([
    { owner: MEMO_PROGRAM, lamports: 1, data, executable: false },
    null,
  ]);
  const addresses = [MEMO_PROGRAM, '1'.repeat(32)];
  const { accounts } = await chain.accountsAt(addresses, 'confirmed', { maxData: 3 });
  expect(accounts).toEqual([{ owner: MEMO_PROGRAM, lamports: 1n, data: Buffer.alloc(3, 7) }, undefined]);
  expect((await chain.accountsAt(addresses, 'confirmed')).accounts[0]?.data).toHaveLength(1_000);
  expect(asked.map(({ params }) => (params[1] as { readonly dataSlice?: unknown }).dataSlice)).toEqual([
    { offset: 0, length: 3 },
    undefined,
  ]);
});
