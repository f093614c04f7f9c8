/** Opens the parts that build and settle transactions, and starts their roles. */

import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring } from '../chain/keys.ts';
import type { IssuedLaunch } from '../chain/venue/judge-launch.ts';
import { startDistributor } from '../distribution/distributor.ts';
import type { DistributionPolicy } from '../distribution/engine-parts.ts';
import { RECIPIENTS } from '../distribution/paying/plan-batches.ts';
import { createPreviews } from '../distribution/previews.ts';
import { createMeteora } from '../distribution/selling/meteora.ts';
import { SAMPLE_PAUSE } from '../distribution/selling/price-reference.ts';
import { createPriceSampler } from '../distribution/selling/price-sampler.ts';
import { createMarkets, type Markets } from '../distribution/selling/sale-venue.ts';
import { createDesk } from '../distribution/selling/test-buyer.ts';
import { createChainSuitability } from '../distribution/sending/chain-suitability.ts';
import { createSender } from '../distribution/sending/sender.ts';
import { createSignalledDrafts, type SignalledDrafts, startDraftSignals } from '../drafts/draft-signals.ts';
import { createFeePayer } from '../drafts/fee-payer.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import { createForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import { createNoncePool } from '../drafts/nonces/nonce-pool.ts';
import { createNonceReclaimer } from '../drafts/nonces/nonce-reclaimer.ts';
import { startPoolWatch } from '../drafts/observers/pool-watcher.ts';
import { createTransferFeeObserver } from '../drafts/observers/transfer-fee-observer.ts';
import type { DraftPolicy } from '../drafts/services.ts';
import { createSettlements } from '../drafts/settlements.ts';
import { draftOutcomes } from '../drafts/settling/draft-outcomes.ts';
import { createFulfilment } from '../drafts/settling/fulfilment.ts';
import { createSearches } from '../drafts/settling/searches.ts';
import { createSettler } from '../drafts/settling/settler.ts';
import { createSlotTime } from '../drafts/slot-time.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import { START } from '../kernel/ports/event-store.ts';
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import type { LeaseTerm } from '../kernel/runtime/lease.ts';
import { fencedChain, fencedExecutor, fencedFiles } from '../kernel/runtime/lease.ts';
import type { Repetition } from '../kernel/runtime/repeat.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createDistributionWatch } from '../operations/distribution-watch.ts';
import { createNodeWatch } from '../operations/node-watch.ts';
import { createOpenRunsWatch } from '../operations/open-runs-watch.ts';
import { createWorkload } from '../operations/workload.ts';
import { signInChainId } from '../server/auth/sign-in-message.ts';
import { createKey, parseSigningKey } from '../server/auth/signing-key.ts';
import { startImageCleanup } from '../server/images/image-cleanup.ts';
import { createImages } from '../server/images/images.ts';
import { launch } from '../streams/launch.ts';
import { issuedLaunchOf } from '../streams/recorded-launch.ts';
import { tokenIdOf } from '../views/token-access.ts';
import { adapterFor } from './adapters.ts';
import { openServiceChain } from './chain.ts';
import type { Foundation } from './foundation.ts';
import { startProjections } from './projecting.ts';
import { openFileStore } from './stores.ts';

/** Maximum number of open drafts per wallet. */
export const OPEN_DRAFTS_PER_WALLET = 3;
/** Maximum milliseconds that startup waits for the read models. */
const BUILT_WITHIN = 3_000;

type EngineParts = Awaited<ReturnType<typeof openParts>>;
export type Engine = Awaited<ReturnType<typeof openEngine>>;

export async function openEngine(foundation: Foundation) {
  const { configuration, clock, readModel, projector, singletons, whenClosing } = foundation;
  const parts = await openParts(foundation);
  const { chain, settlements } = parts;
  const signalled = createSignalledDrafts(projector);

  const settler = configuration.roles.has('settler')
    ? await singletons.run('settler', (term) => startSettling(foundation, parts, signalled, term))
    : undefined;
  const { chainWitness } = configuration;
  const witness =
    chainWitness && (await adapterFor('chain', chainWitness.url).open({ url: chainWitness.url }));
  const distributing = configuration.roles.has('distributor')
    ? await singletons.run('distributor', async (term) =>
        distribute(foundation, { ...parts, ...fencedBy(foundation, parts, term), witness }),
      )
    : undefined;
  const isSettler = () => settler?.isHeld() ?? false;
  // Runs in every process, for its responses; only the settler records observations.
  const pools = await startPoolWatch({
    ...foundation,
    ...fencedBy(foundation, parts, { name: 'settler', isHeld: isSettler }),
    logger: foundation.loggerOf('pool-watcher'),
    mayRecord: isSettler,
  });
  whenClosing(() => pools.repetition.stop());
  const signals = await startDraftSignals({
    store: foundation.store,
    after: signalled.shownUpTo(),
    learn: foundation.executor.learn,
    changed(transactionId, event) {
      signalled.add(transactionId, event);
      settlements.changed(transactionId);
    },
    submitted: () => settler?.work()?.kick(),
    logger: foundation.loggerOf('draft-signals'),
  });
  whenClosing(() => signals.stop());

  const limits = chainLimits(configuration);
  const distributionProgress = () => distributing?.work()?.progress;
  const openRuns = createOpenRunsWatch({ readModel, clock, progress: distributionProgress });
  return {
    ...parts,
    limits,
    launches: pools.figures,
    /** Undefined while this process does not distribute. */
    distributionProgress,
    distributions: createDistributionWatch(readModel, clock),
    openRuns,
    stuckTokens: async () => (await openRuns.look()).stuck.map(({ tokenId }) => tokenId),
    // Previews need neither role nor lease: they record and send nothing.
    previews: createPreviews({ ...foundation, ...parts, ...runParts({ ...foundation, ...parts }) }),
    workload: createWorkload(readModel, { clock, ...limits }),
    node: createNodeWatch(chain, clock),
    repetitions: (): { readonly [name: string]: Repetition } => ({
      ...settler?.work()?.repetitions,
      ...distributing?.work()?.repetitions,
      'pool-watcher': pools.repetition,
    }),
  };
}

async function openParts(foundation: Foundation) {
  const { configuration, log, clock, metrics, readModel, projector, executor, whenClosing } = foundation;
  const { ledgers, runLedgers, loggerOf } = foundation;
  const { keyring, signingKey } = await readSecrets(foundation);
  const chains = await openServiceChain(foundation, keyring);
  const { chain, localChain } = chains;
  await startProjections(foundation);
  // Requests that need an unfinished read model are rejected with `Retry-After`. Usually little is left to catch up
  // with.
  await projector.whenBuilt(BUILT_WITHIN);
  const { store: imageFiles, trouble: imagesTrouble } = await openFileStore('images', configuration, {
    logger: loggerOf('images'),
    meter: metrics.clients,
  });
  whenClosing(() => imageFiles.close());
  const payer = ({ address }: { readonly address: string }, floor: bigint) =>
    createFeePayer({ chain, clock, address, floor, givesLamports: localChain !== undefined });
  const distributor = payer(keyring.distributor, configuration.distributorFloor);
  if (configuration.roles.has('distributor')) await distributor.refill();
  const foreignAdvances = createForeignAdvances({ clock, logger: log });
  const ownTreasury = configuration.chain.isEmbedded ? keyring.treasury.address : undefined;
  const policy: DraftPolicy = {
    ...configuration,
    openDraftsPerWallet: OPEN_DRAFTS_PER_WALLET,
    treasury: configuration.treasury ?? ownTreasury,
  };
  const drafts = { executor, readModel, clock, keyring, chain, policy };
  return {
    keyring,
    /** Signs access tokens; undefined if none are issued. */
    signingKey,
    ...chains,
    slotTime: createSlotTime(chain, clock),
    images: createImages(imageFiles),
    imageFiles,
    imagesTrouble,
    ledgers,
    runLedgers,
    feePayer: payer(keyring.feePayer, configuration.feePayerFloor),
    /** Pays the fees of distributions and lends their rents. */
    distributor,
    policy,
    foreignAdvances,
    nonces: createNoncePool({ ...drafts, foreignAdvances, ...nonceLimits(configuration) }),
    settlements: createSettlements(drafts),
  };
}

async function readSecrets({ configuration, log, store }: Foundation) {
  const { embedded, roles, masterSeedFile, jwtKeyFile, dataDirectory } = configuration;
  // Created only before the log begins: secrets missing later were lost, and must not be replaced.
  const mayCreate = embedded && (await store.head()) === START;
  const { seed, created } = await readMasterSeed(masterSeedFile, { mayCreate });
  const signingKey = roles.has('api')
    ? (await readJwtKey(jwtKeyFile, { mayCreate, make: createKey, parse: parseSigningKey })).key
    : undefined;
  if (created) {
    // A path outside the data folder was set explicitly, so a missing file may mean a wrong path.
    log[dirname(masterSeedFile) === dataDirectory ? 'info' : 'warn'](
      { file: masterSeedFile },
      'master seed created: keep a copy of this file, without it the collected tax is lost',
    );
  } else if (mayCreate) {
    log.warn(
      {},
      'event log empty but master seed present: if this service has run before, its log is missing',
    );
  }
  return { keyring: createKeyring(seed), signingKey };
}

function nonceLimits({ nonceAccountsMax, feePayerFloor, rateLimits }: Configuration) {
  return { maximum: nonceAccountsMax, floor: feePayerFloor, sharesFairly: rateLimits !== undefined };
}

/** In slots. Each is several times the time to finality. */
const [STALL, LAG, SETTLE_GRACE] = [50, 150, 64];
/** Blocks may lag longer than slots may stall: the cluster may continue without this node. */
const LAG_IN_STALLS = LAG / STALL;

function chainLimits({ chain, localChainSlotMs, chainStallMs, settleGraceMs }: Configuration) {
  // An embedded chain may have slots of a minute.
  const slot = chain.isEmbedded ? localChainSlotMs : 0;
  return {
    stall: Math.max(chainStallMs, STALL * slot),
    lag: Math.max(LAG_IN_STALLS * chainStallMs, LAG * slot),
    /** Milliseconds after its deadline until a submission is overdue. */
    settleGrace: Math.max(settleGraceMs, SETTLE_GRACE * slot),
  };
}

/** Parts that reject actions once the process has lost its lease. */
function fencedBy(
  { executor }: Foundation,
  { chain }: Pick<EngineParts, 'chain'>,
  term: Pick<LeaseTerm, 'name' | 'isHeld'>,
) {
  return { executor: fencedExecutor(executor, term), chain: fencedChain(chain, term) };
}

/**
 * Maximum milliseconds between two reads while nothing is to be settled. New work usually wakes the loop; work recorded by
 * another process is found after this time at the latest.
 */
const MAX_PAUSE = 1_000;
const TIDY_PAUSE = 1_000;
/** Milliseconds between two batches of one round over all tokens. */
const OBSERVE_PAGE_PAUSE = 500;
const NONCE_FILL_PAUSE = 30_000;

async function startSettling(
  foundation: Foundation,
  parts: EngineParts,
  { unseen, unrecorded }: SignalledDrafts,
  term: LeaseTerm,
) {
  const { configuration, isShared, loggerOf } = foundation;
  const fenced = { ...foundation, ...parts, ...fencedBy(foundation, parts, term) };
  const options = {
    ...fenced,
    unseen,
    unrecorded,
    inTrace: foundation.observed.inTrace,
    logger: loggerOf('settler'),
    // If no other process can settle, no fence is needed. Sharing the pool also shares its list of accounts that it is
    // creating.
    nonces: isShared ? createNoncePool({ ...fenced, ...nonceLimits(configuration) }) : parts.nonces,
  };
  const searches = createSearches(options);
  const settler = createSettler(
    draftOutcomes({ ...options, settleDeadline: configuration.settleDeadlineMs }),
    { ...options, searches, concluded: () => settling.kick(), pause: configuration.settlePauseMs },
  );
  const fulfilment = createFulfilment(options);
  const reclaimer = createNonceReclaimer({ ...options, claimLapse: configuration.claimLapseMs });
  const feeObserver = createTransferFeeObserver(options);
  await parts.feePayer.refill();

  // An unresponsive read model must not delay drafts found in the log.
  const longestBackoff = () => (unseen().length > 0 ? MAX_PAUSE : undefined);
  const loop = (name: string, work: () => Promise<number>) => foundation.loop(name, work, longestBackoff);

  const settling = loop('settler', async () => {
    const [settled] = await Promise.allSettled([settler.settle()]);
    await fulfilment.fulfil();
    if (settled.status === 'rejected') throw settled.reason;
    return Math.min(settled.value, MAX_PAUSE);
  });
  const repetitions = {
    settler: settling,
    'nonce-reclaimer': loop('nonce-reclaimer', async () => {
      await reclaimer.tidy();
      return TIDY_PAUSE;
    }),
    'nonce-accounts': loop('nonce-accounts', async () => {
      await parts.feePayer.refill();
      if (configuration.draftLifetimeKind === 'durable-nonce')
        await options.nonces.fill(configuration.nonceAccountsMin, causeOf('nonce-accounts'));
      return NONCE_FILL_PAUSE;
    }),
    'transfer-fee-observer': loop('transfer-fee-observer', async () => {
      const { roundDone } = await feeObserver.observe();
      return roundDone ? configuration.observePauseMs : OBSERVE_PAGE_PAUSE;
    }),
    'image-cleanup': startImageCleanup({
      ...options,
      images: fencedFiles(parts.images, term),
      unusedFor: configuration.unusedImagesKeptMs,
      logger: loggerOf('image-cleanup'),
      removed: (images) => foundation.log.info({ part: 'image-cleanup', images }, 'unused images removed'),
    }),
  };
  return {
    repetitions,
    /** Must be called when a submission was recorded, so that the settler sends it immediately. */
    kick: () => settling.kick(),
    async stop() {
      await Promise.all(Object.values(repetitions).map((each) => each.stop()));
      await Promise.all([settler, fulfilment, searches].map((each) => each.stop()));
    },
  };
}

/** Milliseconds between two checks of the distributor's funds and of the chain. */
const CONDITIONS_PAUSE = 15_000;

function distribute(
  foundation: Foundation,
  parts: EngineParts & { readonly executor: Executor; readonly witness: Chain | undefined },
) {
  const options = { ...foundation, ...parts, ...runParts({ ...foundation, ...parts }) };
  const { sender, distributor: payer } = options;
  const { loop, loggerOf } = foundation;
  const suitability = createChainSuitability(parts.chain, sender, parts.keyring.distributor);
  const prices = createPriceSampler({
    ...options,
    launchOf: launchesOf(parts.executor),
    logger: loggerOf('sale-prices'),
  });
  const repetitions = {
    'distributor-conditions': loop('distributor-conditions', async () => {
      await payer.refill();
      await suitability.check();
      return CONDITIONS_PAUSE;
    }),
    'sale-prices': loop('sale-prices', async () => {
      await prices.sample();
      return SAMPLE_PAUSE;
    }),
  };
  const distributor = startDistributor({
    ...options,
    counts: foundation.metrics.distributions,
    prices,
    concurrentTokens: foundation.configuration.distributionTokensAtOnce,
    suitability,
    logger: loggerOf('distributor'),
  });
  return {
    progress: distributor.progress,
    repetitions,
    async stop() {
      await Promise.all([...Object.values(repetitions), distributor].map((each) => each.stop()));
    },
  };
}

/** Services that runs use, in distributions and in previews. */
function runParts(options: Foundation & EngineParts) {
  const { configuration, chain, ledgers: blobs, runLedgers: ledgers } = options;
  const policy: DistributionPolicy = {
    holding: configuration.distributionHolding,
    minShare: configuration.distributionLeastShare,
    minimumPayout: configuration.distributionMinPayout,
    floor: configuration.distributorFloor,
    costsMaxBasisPoints: configuration.distributionCostsMaxBasisPoints,
    selfCostsPerDay: configuration.distributionSelfCostsPerDay,
    maxPots: configuration.distributionPots,
    announce: configuration.distributionAnnounceMs,
    recipients: RECIPIENTS,
  };
  const sender = createSender({ chain, maximumPrice: configuration.priorityFeeMax });
  return {
    markets: openMarkets(options),
    policy,
    yieldToOthers: () => setImmediate(),
    sender,
    blobs,
    ledgers,
  };
}

export function openMarkets({
  configuration,
  chain,
  executor,
  keyring,
  genesisHash,
}: Pick<Foundation, 'configuration' | 'executor'> &
  Pick<EngineParts, 'chain' | 'keyring' | 'genesisHash'>): Markets {
  const venue = createVenue(chain, { isLocal: configuration.chain.isEmbedded });
  const meteora = createMeteora({
    chain,
    exists: () => venue.exists(),
    launchOf: launchesOf(executor),
    maxImpactBasisPoints: configuration.saleMaxImpactBasisPoints,
    slippageBasisPoints: configuration.saleSlippageBasisPoints,
    maxDiscountBasisPoints: configuration.saleMaxDiscountBasisPoints,
  });
  // On other chains, anybody could collect tax on transfers of a worthless token and sell it to the operator.
  if (signInChainId(genesisHash) !== 'localnet') return createMarkets([meteora]);
  return createMarkets([
    meteora,
    createDesk({ chain, key: keyring.desk, marketCap: configuration.deskMarketCap }),
  ]);
}

/** Launch of a token, once final; undefined without one. */
function launchesOf(executor: Executor) {
  return async (mint: string): Promise<IssuedLaunch | undefined> => {
    const { state } = await executor.load(launch, tokenIdOf(mint));
    return state && issuedLaunchOf(state.started.launch, state.started.creator);
  };
}
