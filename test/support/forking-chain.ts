/** A chain that takes back what it had confirmed: it is closed, an older copy of its folder is put back, and it goes on. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalChain, type LocalChainOptions, openLocalChain } from 'levy-local-chain';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';

export interface ForkingChain {
  readonly url: string;
  /** Remembers the chain as it is now. */
  remember(): Promise<void>;
  /** Takes back everything since; the chain goes on at the same address. */
  fork(slotMilliseconds: number): Promise<void>;
}

/** Closed after the tests of the file. */
export async function openForkingChain(
  options: Omit<LocalChainOptions, 'dataDir' | 'port'>,
): Promise<ForkingChain> {
  const folder = await folderForTheFile();
  const [dataDir, copy] = [join(folder, 'chain'), join(folder, 'copy')];
  let chain: LocalChain = await openLocalChain({ ...options, dataDir, port: 0 });
  afterTheFile(() => chain.close());
  const { url } = chain;
  const port = Number(new URL(url).port);
  return {
    url,
    async remember() {
      await chain.close();
      await cp(dataDir, copy, { recursive: true });
      chain = await openLocalChain({ ...options, dataDir, port });
    },
    async fork(slotMilliseconds) {
      await chain.close();
      await rm(dataDir, { recursive: true });
      await cp(copy, dataDir, { recursive: true });
      chain = await openLocalChain({ ...options, dataDir, port, slotMilliseconds });
    },
  };
}
