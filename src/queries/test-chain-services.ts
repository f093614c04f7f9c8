/** Services of the embedded test chain. */
import type { Chain } from '../kernel/ports/chain.ts';
import { rejection } from '../streams/rejections.ts';

type TestChain = Pick<Chain, 'airdrop' | 'recentBlockhash' | 'simulate' | 'send' | 'statuses'>;

export interface TestChainServices {
  /** Undefined on all other chains. */
  readonly testChain: TestChain | undefined;
}

/** Throws `NO_FAUCET` unless the chain is the embedded one. */
export function testChainOf({ testChain }: TestChainServices): TestChain {
  if (testChain !== undefined) return testChain;
  throw rejection('NO_FAUCET', 'Test lamports and transfers are available on the embedded chain only.');
}
