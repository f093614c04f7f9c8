/** Resolves the setting `rewardToken` to the asset that holders are paid in. */
import { NATIVE_MINT } from 'levy-solana-wire';
import type { RewardAsset } from './distribution.ts';

/**
 * Undefined for assets that nothing is paid in: their runs are skipped with `REWARD_TOKEN_UNSUPPORTED`. `mint` is that of
 * the token itself; undefined while it does not exist yet.
 */
export function rewardAsset(
  { rewardToken }: { readonly rewardToken: string },
  mint: string | undefined,
): RewardAsset | undefined {
  if (rewardToken === 'SOL' || rewardToken === NATIVE_MINT) return 'sol';
  if (rewardToken === 'SELF' || rewardToken === mint) return 'token';
  return undefined;
}
