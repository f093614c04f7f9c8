/** Resolves the setting `rewardToken` to the asset in which holders are paid. */
import { NATIVE_MINT } from 'levy-solana-wire';
import type { RewardAsset } from './distribution.ts';

/**
 * Undefined for unsupported assets, whose runs are skipped with `reward-token-unsupported`. `mint`: the token's own mint;
 * undefined before it exists.
 */
export function rewardAsset(
  { rewardToken }: { readonly rewardToken: string },
  mint: string | undefined,
): RewardAsset | undefined {
  if (rewardToken === 'SOL' || rewardToken === NATIVE_MINT) return 'sol';
  if (rewardToken === 'SELF' || rewardToken === mint) return 'token';
  return undefined;
}
