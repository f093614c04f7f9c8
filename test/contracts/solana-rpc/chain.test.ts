import { openLocalChain } from 'levy-local-chain';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { solanaRpc } from '../../../src/adapters/solana-rpc/index.ts';
import { afterTheFile, folderForTheFile } from '../../support/after-the-file.ts';
import { openChainProxy } from '../../support/chain-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { chainContract } from '../chain.contract.ts';
import { lyingNodesContract } from '../lying-nodes.contract.ts';
import { tokenAccountsContract } from '../token-accounts.contract.ts';

chainContract('the chain over solanaRpc.js', async () => {
  const { url, dispose } = await localChain();
  return {
    chain: await solanaRpc.chain.open({ url }),
    unreachable: await solanaRpc.chain.open({ url: `http://127.0.0.1:${await freePort()}` }),
    dispose,
  };
});

const FEW = { accountsPerPage: 2 };

tokenAccountsContract('the chain over a node that pages', async () => {
  const { url, dispose } = await localChain();
  return { chain: createNodeChain({ url, scans: FEW }), dispose };
});

tokenAccountsContract('the chain over a node that does not', async () => {
  const { url, dispose } = await localChain();
  const proxy = await openChainProxy(url);
  proxy.treat(({ method }) =>
    method === 'getProgramAccountsV2'
      ? { kind: 'error', code: -32_601, message: 'Method not found' }
      : undefined,
  );
  return { chain: createNodeChain({ url: proxy.url, scans: FEW }), dispose };
});

lyingNodesContract('one node', async () => {
  const { url, dispose } = await localChain();
  const proxy = await openChainProxy(url);
  return {
    treat: (rule) => proxy.treat(rule(url)),
    chain: await solanaRpc.chain.open({ url: proxy.url }),
    honest: await solanaRpc.chain.open({ url }),
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
    chain: await solanaRpc.chain.open({ url: proxy.url }),
    honest: await solanaRpc.chain.open({ url }),
    dispose,
  };
});

let opening: ReturnType<typeof openLocalChain> | undefined;

/** One for all suites of this file. */
async function localChain() {
  opening ??= folderForTheFile().then((dataDir) =>
    openLocalChain({ dataDir, port: 0, slotMilliseconds: 20 }),
  );
  const { url, close } = await opening;
  afterTheFile(close);
  return { url, dispose: () => Promise.resolve() };
}
