/** Services of the embedded chain for trying the product. */
import type { Chain } from '../kernel/ports/chain.ts';
import { rejection } from '../streams/rejections.ts';

type TestChain = Pick<Chain, 'airdrop' | 'recentBlockhash' | 'simulate' | 'send' | 'statuses'>;

export interface TestChainServices {
  /** Undefined on every chain but the embedded one. */
  readonly testChain: TestChain | undefined;
}

/** Throws `NO_FAUCET` on a chain whose tokens may be worth something. */
export function testChainOf({ testChain }: TestChainServices): TestChain {
  if (testChain !== undefined) return testChain;
  throw rejection('NO_FAUCET', 'Test lamports and transfers are available on the embedded chain only.');
}
