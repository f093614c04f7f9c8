/** What the configuration says to pages. */
import type { Configuration } from '../operations/config/configuration.ts';
import type { ConfigServices } from '../queries/get-config.ts';
import { PARTNER_POLICIES, policiesWith } from '../server/http/rate-limit/policies.ts';
import { MAX_IMAGE_BYTES, STORED_IMAGE_SIDE } from '../server/images/process-image.ts';
import { DISTRIBUTION_MODELS } from '../streams/distribution-settings.ts';
import { DISTRIBUTION_INTERVALS } from '../streams/values.ts';
import { MAX_PROMOTION_DAYS, TEXT_LIMITS } from '../views/input-limits.ts';
import type { PublicConfiguration } from '../views/public-configuration.ts';
import { VERSION } from './version.ts';

/** A wallet's; the draft keeper knows no other. */
export const OPEN_DRAFTS_PER_WALLET = 3;

export function publicConfiguration(
  configuration: Configuration,
  {
    chain,
    faucet,
    treasury,
  }: Pick<PublicConfiguration, 'chain' | 'faucet'> & { readonly treasury: string | undefined },
): ConfigServices['publicConfiguration'] {
  const policies = configuration.rateLimits && policiesWith(configuration.rateLimits);
  return {
    version: VERSION,
    chain,
    faucet,
    tokens: {
      maxTransferFeePercent: configuration.maxTransferFeeBasisPoints / 100,
      maxDecimals: 9,
      ...TEXT_LIMITS,
    },
    images: { maxBytes: MAX_IMAGE_BYTES, types: ['image/png', 'image/jpeg'], side: STORED_IMAGE_SIDE },
    distribution: {
      intervals: [...DISTRIBUTION_INTERVALS],
      models: [...DISTRIBUTION_MODELS],
      rewardTokens: ['SOL', 'SELF'],
      partnerSharePercent: 0,
    },
    promotions: {
      available: treasury !== undefined,
      pricePerDay: configuration.featuredPricePerDay.toString(),
      places: configuration.featuredPlaces,
      maxDays: MAX_PROMOTION_DAYS,
      paidTo: treasury ?? null,
    },
    launches: { startRatio: configuration.launchStartRatio },
    drafts: {
      lifetimeSeconds: Math.floor(configuration.draftLifetimeMs / 1_000),
      lifetimeKind: configuration.draftLifetimeKind,
      maxOpenPerWallet: OPEN_DRAFTS_PER_WALLET,
      submitWaitSeconds: Math.ceil(configuration.submitWaitMs / 1_000),
    },
    quotas:
      policies === undefined
        ? []
        : PARTNER_POLICIES.map((policy) => {
            const { quota, windowSeconds, countedBy } = policies[policy];
            return { policy, calls: quota, windowSeconds, countedBy };
          }),
  };
}
