/** Starts the distribution of collected tax, in one process at a time. */
import { setImmediate } from 'node:timers/promises';
import type { Keyring } from '../chain/keys.ts';
import type { IssuedLaunch } from '../chain/venue/judge-launch.ts';
import { createPreviews } from '../distribution/create-previews.ts';
import { startDistributor } from '../distribution/distributor.ts';
import type { DistributionPolicy } from '../distribution/engine-parts.ts';
import type { Ledgers } from '../distribution/ledger/open-ledgers.ts';
import type { DistributionPreviews } from '../distribution/previews.ts';
import { createDesk } from '../distribution/selling/desk.ts';
import { createMarkets, type Markets } from '../distribution/selling/markets.ts';
import { createMeteora } from '../distribution/selling/meteora.ts';
import { SAMPLE_PAUSE } from '../distribution/selling/price-reference.ts';
import { createPriceSampler } from '../distribution/selling/price-sampler.ts';
import { createChainSuitability } from '../distribution/sending/chain-suitability.ts';
import { createSender } from '../distribution/sending/sender.ts';
import type { DistributionCounts } from '../distribution/services.ts';
import type { FeePayer } from '../drafts/fee-payer.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import { startRepetition } from '../kernel/runtime/repeat.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { signInChainId } from '../server/auth/chain-id.ts';
import { launch } from '../streams/launch.ts';
import { issuedLaunchOf } from '../streams/recorded-launch.ts';
import { tokenIdOf } from '../views/token-access.ts';

interface DistributingOptions {
  readonly configuration: Configuration;
  readonly executor: Executor;
  readonly chain: Chain;
  readonly witness: Chain | undefined;
  readonly blobs: BlobStore;
  readonly ledgers: Ledgers;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly keyring: Keyring;
  /** Shows whether the chain is one of Solana's clusters, on which SOL has a price. */
  readonly genesisHash: string;
  readonly clock: Clock;
  readonly distributor: FeePayer;
  /** Whether the distributor may ask the chain for lamports. */
  readonly airdropsFunds: boolean;
  readonly counts: DistributionCounts;
  readonly logger: Logger;
}

/** Milliseconds between two checks of the distributor's funds and of the chain. */
const LOOK_PAUSE = 15_000;

export async function startDistributing(options: DistributingOptions) {
  const { configuration, chain, keyring, clock, logger } = options;
  const sender = createSender({ chain, maximumPrice: configuration.priorityFeeMax });
  const suitability = createChainSuitability(chain, sender, keyring.distributor);
  const conditions = startRepetition({
    name: 'distributor-conditions',
    clock,
    logger: logger.child({ part: 'distributor-conditions' }),
    work: async () => {
      if (options.airdropsFunds) await options.distributor.refill();
      await suitability.look();
      return LOOK_PAUSE;
    },
  });
  const sampler = createPriceSampler({
    ...options,
    launchOf: launchesOf(options.executor),
    logger: logger.child({ part: 'sale-prices' }),
  });
  const prices = startRepetition({
    name: 'sale-prices',
    clock,
    logger: logger.child({ part: 'sale-prices' }),
    work: async () => {
      await sampler.sample();
      return SAMPLE_PAUSE;
    },
  });
  const distributor = startDistributor({
    ...options,
    markets: openMarkets(options),
    prices: sampler,
    sender,
    policy: distributionPolicy(configuration),
    tokensAtOnce: configuration.distributionTokensAtOnce,
    rest: () => setImmediate(),
    suitability,
    logger: logger.child({ part: 'distributor' }),
  });
  return {
    progress: distributor.progress,
    repetitions: { 'distributor-conditions': conditions, 'sale-prices': prices },
    async stop() {
      await Promise.all([conditions.stop(), prices.stop(), distributor.stop()]);
    },
  };
}

/** Previews need neither the role nor the lease: they record and send nothing. */
export function openPreviews(
  options: Omit<
    DistributingOptions,
    'counts' | 'logger' | 'witness' | 'distributor' | 'airdropsFunds' | 'store'
  >,
): DistributionPreviews {
  const { configuration, chain } = options;
  return createPreviews({
    ...options,
    markets: openMarkets(options),
    sender: createSender({ chain, maximumPrice: configuration.priorityFeeMax }),
    policy: distributionPolicy(configuration),
    rest: () => setImmediate(),
  });
}

function distributionPolicy(configuration: Configuration): DistributionPolicy {
  return {
    holding: configuration.distributionHolding,
    leastShare: configuration.distributionLeastShare,
    minimumPayout: configuration.distributionMinPayout,
    floor: configuration.distributorFloor,
    costsMaxBasisPoints: configuration.distributionCostsMaxBasisPoints,
    selfCostsPerDay: configuration.distributionSelfCostsPerDay,
    mostPots: configuration.distributionPots,
    announce: configuration.distributionAnnounceMs,
  };
}

export function openMarkets({
  configuration,
  chain,
  executor,
  keyring,
  genesisHash,
}: Pick<DistributingOptions, 'configuration' | 'chain' | 'executor' | 'keyring' | 'genesisHash'>): Markets {
  const venue = createVenue(chain, { isLocal: configuration.chain.isEmbedded });
  const meteora = createMeteora({
    chain,
    isThere: () => venue.isThere(),
    launchOf: launchesOf(executor),
    maxImpactBasisPoints: configuration.saleMaxImpactBasisPoints,
    slippageBasisPoints: configuration.saleSlippageBasisPoints,
    maxDiscountBasisPoints: configuration.saleMaxDiscountBasisPoints,
  });
  // Elsewhere anybody could collect tax on transfers of a worthless token and sell it to the operator.
  if (signInChainId(genesisHash) !== 'localnet') return createMarkets([meteora]);
  return createMarkets([
    meteora,
    createDesk({ chain, key: keyring.desk, marketCap: configuration.deskMarketCap }),
  ]);
}

/** A token's launch, once it is final; undefined if it has none. */
function launchesOf(executor: Executor) {
  return async (mint: string): Promise<IssuedLaunch | undefined> => {
    const { state } = await executor.load(launch, tokenIdOf(mint));
    return state && issuedLaunchOf(state.started.launch, state.started.creator);
  };
}
