// Rents are those of the Rent sysvar, as finalized: what else a node says of them is not asked, and an impossible one is no answer.
import { createServer } from 'node:http';
import { RENT_SYSVAR, SYSVAR_OWNER } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { ChainAnswerInvalid } from '../../../src/kernel/ports/chain.ts';
import { listening } from '../../support/listening.ts';

async function nodeWith(perByteYear: bigint) {
  const rates = Buffer.alloc(17);
  rates.writeBigUInt64LE(perByteYear);
  rates.writeDoubleLE(2, 8);
  const sysvar = { lamports: 1, owner: SYSVAR_OWNER, data: [rates.toString('base64'), 'base64'] };
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method, params } = JSON.parse(body);
    asked.push([method, params[0], params[1]?.commitment]);
    const result =
      method === 'getMultipleAccounts'
        ? { context: { slot: 10 }, value: params[0].map(() => sysvar) }
        : 3_000_000_000;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return { chain: createNodeChain({ url: `http://127.0.0.1:${await listening(server)}` }), asked };
}

test('rents come from the sysvar, as finalized', async () => {
  const { chain, asked } = await nodeWith(3_480n);
  expect([await chain.rentExemption(165), await chain.rentExemption(0)]).toEqual([2_039_280n, 890_880n]);
  expect(asked).toEqual(Array.from({ length: 2 }, () => ['getMultipleAccounts', [RENT_SYSVAR], 'finalized']));
});

test.each([0n, 173n, 3_481n, 5_119_454n])('a rate of %i is no answer', async (perByteYear) => {
  const { chain } = await nodeWith(perByteYear);
  await expect(chain.rentExemption(165)).rejects.toThrow(ChainAnswerInvalid);
});
