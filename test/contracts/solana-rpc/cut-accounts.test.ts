// A node that ignores how much of an account's data was asked for makes no look at accounts hold more of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEMO_PROGRAM } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { createAuditNode } from '../../../src/proof/audit/chain/audit-node.ts';

test('no more of the data is given than was asked for', async () => {
  const asked: unknown[] = [];
  const whole = Buffer.alloc(1_000, 7).toString('base64');
  const account = { owner: MEMO_PROGRAM, lamports: 1, data: [whole, 'base64'], executable: false };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { id, params } = JSON.parse(Buffer.concat(parts).toString());
    asked.push(params[1].dataSlice);
    const result = { context: { slot: 5 }, value: [account, null] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const chain = createNodeChain({ url });
  try {
    const addresses = [MEMO_PROGRAM, '1'.repeat(32)];
    const { accounts } = await chain.accountsAt(addresses, 'confirmed', { mostData: 3 });
    expect(accounts).toEqual([{ owner: MEMO_PROGRAM, lamports: 1n, data: Buffer.alloc(3, 7) }, undefined]);
    const { accounts: all } = await chain.accountsAt(addresses, 'confirmed');
    expect(all[0]?.data).toHaveLength(1_000);
    expect(asked).toEqual([{ offset: 0, length: 3 }, undefined]);
    // The audit has a reader of its own.
    const shown = await createAuditNode({ url }).accountsAt(addresses, 'finalized', { mostData: 0 });
    expect(shown.accounts.map((each) => each?.owner)).toEqual([MEMO_PROGRAM, undefined]);
    expect(asked.at(-1)).toEqual({ offset: 0, length: 0 });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
