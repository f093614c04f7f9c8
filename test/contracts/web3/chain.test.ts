// The adapter over web3.js keeps the port's contract, on the chain that comes with the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import { web3 } from '../../../src/adapters/web3/index.ts';
import { chainContract } from '../chain.contract.ts';

chainContract('the chain over web3.js', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const local = await openLocalChain({ dataDir: join(folder, 'chain'), port: 0, slotMilliseconds: 20 });
  return {
    chain: await web3.chain.open({ url: local.url }),
    unreachable: await web3.chain.open({ url: `http://127.0.0.1:${await closedPort()}` }),
    async dispose() {
      await local.close();
      await rm(folder, { recursive: true });
    },
  };
});

/** A port on which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
