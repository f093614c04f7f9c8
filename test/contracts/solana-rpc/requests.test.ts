// Requests to a node: with the credentials of its address and the time limit of a call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { listening } from '../../support/listening.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function nodeThat(answer: Answer): Promise<number> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    answer(request, response, body);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return listening(server);
}

const genesis = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'genesis' });
const noAccounts = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { context: { slot: 7 }, value: { accounts: [] } },
});

test('a user in the address is shown with each call, also with a scan, and never as a part of the address', async () => {
  const shown: unknown[] = [];
  const port = await nodeThat(({ url, headers }, response, body) => {
    shown.push([url, headers.authorization]);
    response.end(body.includes('getGenesisHash') ? genesis : noAccounts);
  });
  const chain = createNodeChain({ url: `http://levy:s3cret%20pw@127.0.0.1:${port}/path?key=1` });
  expect(await chain.genesisHash()).toBe('genesis');
  expect(await chain.tokenAccounts('Mint')).toMatchObject({ slot: 7n, accounts: [] });
  const expected = ['/path?key=1', `Basic ${Buffer.from('levy:s3cret pw').toString('base64')}`];
  expect(shown).toEqual([expected, expected]);
});

test('an answer of which a part is missing is waited for as long as a call may take', async () => {
  const port = await nodeThat((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  const chain = createNodeChain({ url: `http://127.0.0.1:${port}`, timeout: 200 });
  await expect(chain.genesisHash()).rejects.toThrow('no complete response within 0.2 s');
});
