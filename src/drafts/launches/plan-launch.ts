/** Checks on the chain whether a launch is possible, and computes its terms. */

import type { Mint } from 'levy-solana-wire';
import { readMint, readTokenAccount } from '../../chain/token-accounts.ts';
import { type LaunchAddresses, launchAddresses } from '../../chain/venue/addresses.ts';
import {
  LAUNCH_ACCOUNT_SIZES,
  LAUNCH_LAMPORTS,
  WRAPPED_SOL_ACCOUNT_SIZE,
} from '../../chain/venue/launch-instructions.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { rejection } from '../../streams/rejections.ts';
import { poolIsThere } from '../pool-is-there.ts';
import { type LaunchTerms, launchTerms } from './launch-terms.ts';

export interface LaunchPlan {
  readonly addresses: LaunchAddresses;
  readonly mint: Mint;
  readonly terms: LaunchTerms;
  /** Lamports that the creator pays besides the fee. */
  readonly payments: bigint;
}

export interface LaunchRequest {
  readonly creator: string;
  readonly mint: string;
  readonly positionMint: string;
  /** Base units. */
  readonly tokenAmount: bigint;
  /** Lamports. */
  readonly targetMarketCap: bigint;
  readonly startRatio: bigint;
}

/**
 * Rejects with `VALIDATION_FAILED` for parameters that cannot be met, with `LAUNCH_ALREADY_EXISTS` when an earlier
 * draft of the token has landed, and with `POOL_ADDRESS_TAKEN` when somebody else has created the only possible pool.
 */
export async function planLaunch(
  { chain, readModel }: { readonly chain: Chain; readonly readModel: ReadModel },
  request: LaunchRequest,
): Promise<LaunchPlan> {
  const addresses = launchAddresses(request);
  const [mintAccount, tokenAccount, solAccount, pool] = await chain.accounts(
    [request.mint, addresses.creatorTokenAccount, addresses.creatorSolAccount, addresses.pool],
    'confirmed',
  );
  if (pool !== undefined) throw await poolIsThere({ chain, readModel }, request.mint);
  const mint = mintAccount && readMint(mintAccount);
  if (mint === undefined) {
    throw rejection('CHAIN_UNAVAILABLE', "The chain node does not show the token's mint; try again.", {
      retryAfterSeconds: 2,
    });
  }
  const held = (tokenAccount && readTokenAccount(tokenAccount)?.amount) ?? 0n;
  if (request.tokenAmount > held) {
    const reason = `is more than the wallet holds, which is ${held}`;
    throw rejection('VALIDATION_FAILED', `tokenAmount ${reason}.`, {
      details: [{ path: ['tokenAmount'], message: reason }],
    });
  }
  const terms = launchTerms({ ...request, held }, mint);
  const sizes = [
    ...Object.values(LAUNCH_ACCOUNT_SIZES),
    ...(solAccount === undefined ? [WRAPPED_SOL_ACCOUNT_SIZE] : []),
  ];
  const rents = await Promise.all(sizes.map((size) => chain.rentExemption(size)));
  return { addresses, mint, terms, payments: rents.reduce((sum, rent) => sum + rent, LAUNCH_LAMPORTS) };
}
