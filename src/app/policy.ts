/** The service's rules, as set by its operator. */
import type { Keyring } from '../chain/keys.ts';
import type { DraftPolicy } from '../drafts/policy.ts';
import type { Configuration } from '../operations/config/configuration.ts';

const OPEN_DRAFTS_PER_WALLET = 3;

export function policyOf(configuration: Configuration, keyring: Keyring): DraftPolicy {
  return {
    maxTransferFeeBasisPoints: configuration.maxTransferFeeBasisPoints,
    draftLifetimeKind: configuration.draftLifetimeKind,
    draftLifetime: configuration.draftLifetimeMs,
    openDraftsPerWallet: OPEN_DRAFTS_PER_WALLET,
    featuredPlaces: configuration.featuredPlaces,
    featuredPricePerDay: configuration.featuredPricePerDay,
    treasury:
      configuration.treasury ?? (configuration.chain.isEmbedded ? keyring.treasury.address : undefined),
    launchStartRatio: configuration.launchStartRatio,
    settleDeadline: configuration.settleDeadlineMs,
    submitWait: configuration.submitWaitMs,
    claimLapse: configuration.claimLapseMs,
    maxComputeUnitPrice: configuration.priorityFeeMax,
  };
}
