/** Distributions on a chain of its own, which several processes share or something stands before: the desk and all keys are funded. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Keyring } from '../../src/chain/keys.ts';
import { folderForTheFile } from './after-the-file.ts';
import { type ChainProxy, openChainProxy, sentBy, type Treatment } from './chain-proxy.ts';
import { fund } from './creator.ts';
import { DISTRIBUTION_ENVIRONMENT } from './distribution-journey.ts';
import { secretsIn } from './secret-files.ts';
import type { Environment } from './service.ts';
import { openTestChain } from './service-on-chain.ts';
import { PUBLIC_URL } from './several-processes.ts';

/** First instructions of the token program's batch that pays from a pot: a transfer of three accounts and nine bytes. */
const PAYING_BATCH = Buffer.of(255, 3, 9, 3);

export interface DistributionChain {
  readonly url: string;
  /** Forwards every call for which the test sets no rule. */
  readonly proxy: ChainProxy;
  readonly keyring: Keyring;
  /** Environment of a process whose node is the proxy. */
  readonly environment: Environment;
}

export async function openDistributionChain(): Promise<DistributionChain> {
  const shared = await folderForTheFile();
  const { keyring, environment: secrets } = await secretsIn(shared);
  await mkdir(join(shared, 'images'));
  const { url } = await openTestChain();
  for (const { address } of [keyring.feePayer, keyring.distributor, keyring.desk])
    await fund(url, address, 10_000_000_000);
  const proxy = await openChainProxy(url);
  return {
    url,
    proxy,
    keyring,
    environment: {
      ...DISTRIBUTION_ENVIRONMENT,
      ...secrets,
      PUBLIC_URL,
      CHAIN_URL: proxy.url,
    },
  };
}

/** Lets go on what was held back, or answers it. */
type LetGo = (treatment?: Treatment) => void;

/** Resolves when payments in SOL are about to be sent, with what lets them go on. */
export function whenPaying(proxy: ChainProxy): Promise<LetGo> {
  return whenSending(proxy, (wire) => wire.includes(PAYING_BATCH));
}

/** Resolves when such a transaction is about to be sent; it is held back until what is given is called. */
export function whenSending(proxy: ChainProxy, matches: (wire: Buffer) => boolean): Promise<LetGo> {
  return new Promise((resolve) => {
    const pass = proxy.treat((call) => {
      const wire = sentBy(call);
      if (wire === undefined || !matches(Buffer.from(wire, 'base64'))) return undefined;
      pass();
      return new Promise((letGo) => resolve(letGo));
    });
  });
}
