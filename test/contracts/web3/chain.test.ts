// The adapter over web3.js keeps the port's contract, on the chain that comes with the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import { createWeb3Chain } from '../../../src/adapters/web3/chain.ts';
import { web3 } from '../../../src/adapters/web3/index.ts';
import { openChainProxy } from '../../support/chain-proxy.ts';
import { chainContract } from '../chain.contract.ts';
import { lyingNodesContract } from '../lying-nodes.contract.ts';
import { tokenAccountsContract } from '../token-accounts.contract.ts';

chainContract('the chain over web3.js', async () => {
  const { url, dispose } = await localChain();
  return {
    chain: await web3.chain.open({ url }),
    unreachable: await web3.chain.open({ url: `http://127.0.0.1:${await closedPort()}` }),
    dispose,
  };
});

const FEW = { accountsPerPage: 2 };

tokenAccountsContract('the chain over a node that pages', async () => {
  const { url, dispose } = await localChain();
  return { chain: createWeb3Chain({ url, scans: FEW }), dispose };
});

tokenAccountsContract('the chain over a node that does not', async () => {
  const { url, dispose } = await localChain();
  const proxy = await openChainProxy(url);
  proxy.treat(({ method }) =>
    method === 'getProgramAccountsV2'
      ? { kind: 'error', code: -32_601, message: 'Method not found' }
      : undefined,
  );
  return { chain: createWeb3Chain({ url: proxy.url, scans: FEW }), dispose };
});

lyingNodesContract('one node', async () => {
  const { url, dispose } = await localChain();
  const proxy = await openChainProxy(url);
  return {
    treat: (rule) => proxy.treat(rule(url)),
    chain: await web3.chain.open({ url: proxy.url }),
    honest: await web3.chain.open({ url }),
    dispose,
  };
});

lyingNodesContract('one node that does not page', async () => {
  const { url, dispose } = await localChain();
  const proxy = await openChainProxy(url);
  proxy.treat(({ method }) =>
    method === 'getProgramAccountsV2'
      ? { kind: 'error', code: -32_601, message: 'Method not found' }
      : undefined,
  );
  return {
    treat(rule) {
      const lie = rule(url);
      return proxy.treat((call) => (call.method === 'getProgramAccountsV2' ? undefined : lie(call)));
    },
    chain: await web3.chain.open({ url: proxy.url }),
    honest: await web3.chain.open({ url }),
    dispose,
  };
});

async function localChain() {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const local = await openLocalChain({ dataDir: join(folder, 'chain'), port: 0, slotMilliseconds: 20 });
  return {
    url: local.url,
    async dispose() {
      await local.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A port on which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
