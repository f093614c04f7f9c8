/** Opens the parts that build transactions and settle them: the keys, the chain, the read models, the loops. */

import { dirname } from 'node:path';
import { readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import type { DistributionProgress } from '../distribution/services.ts';
import { startDraftSignals } from '../drafts/draft-signals.ts';
import { createFeePayer } from '../drafts/fee-payer.ts';
import { createForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import { createNoncePool } from '../drafts/nonces/nonce-pool.ts';
import type { LaunchFiguresNow } from '../drafts/observers/figures-now.ts';
import { startPoolWatch } from '../drafts/observers/pool-watch.ts';
import type { DraftPolicy } from '../drafts/policy.ts';
import { createSettlements } from '../drafts/settlements.ts';
import { createSignalledDrafts, type SignalledDrafts } from '../drafts/signalled-drafts.ts';
import { createSlotTime } from '../drafts/slot-time.ts';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import { START } from '../kernel/ports/event-store.ts';
import type { LeaseTerm } from '../kernel/ports/lease.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { aroundCalls } from '../kernel/runtime/around-calls.ts';
import { fencedChain, fencedExecutor, fencedFiles } from '../kernel/runtime/lease.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import type { Repetition } from '../kernel/runtime/repeat.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createDistributionWatch } from '../operations/distribution-watch.ts';
import { createNodeWatch } from '../operations/node-watch.ts';
import { createOpenRunsWatch } from '../operations/open-runs-watch.ts';
import { createWorkload } from '../operations/workload.ts';
import { createKey, parseSigningKey, type SigningKey } from '../server/auth/signing-key.ts';
import { createImages } from '../server/images/images.ts';
import { adapterFor } from './adapters.ts';
import { begunOn, claimLog, StartRefused } from './claim-log.ts';
import { openPreviews, startDistributing } from './distributing.ts';
import { chainLimits, type Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import { openChain, whenItAnswers } from './open-chain.ts';
import { openImageStore } from './open-files.ts';
import { OPEN_DRAFTS_PER_WALLET } from './public-configuration.ts';
import { requireNonces } from './require-nonces.ts';
import { startSettling } from './settling.ts';
import { startProjections } from './start-projections.ts';

/** The longest that a start waits for the read models, in milliseconds. */
const BUILT_WITHIN = 3_000;

export async function openEngine(foundation: Foundation): Promise<Engine> {
  const { configuration, log, clock, readModel, projector, executor } = foundation;
  const secrets = await readEngineSecrets(foundation);
  const { keyring } = secrets;
  const chains = await openEngineChain(foundation, keyring);
  const { chain } = chains;
  await startProjections(foundation);
  // Until then, requests are told to retry; usually there is little to catch up with.
  await projector.whenBuilt(BUILT_WITHIN);

  const files = await openEngineFiles(foundation);
  const policy = policyOf(configuration, keyring);
  const drafts = { executor, readModel, clock, keyring, chain, policy };
  const payers = await openPayers(foundation, { ...chains, keyring });
  const foreignAdvances = createForeignAdvances({ clock, logger: log });
  const parts = {
    ...secrets,
    ...chains,
    ...files,
    ...payers,
    policy,
    foreignAdvances,
    nonces: createNoncePool({ ...drafts, foreignAdvances, ...nonceLimits(foundation) }),
    settlements: createSettlements(drafts),
  };
  const roles = await startEngineRoles(foundation, parts);
  const limits = chainLimits(configuration);
  return {
    ...parts,
    ...roles,
    limits,
    distributions: createDistributionWatch(readModel, clock),
    openRuns: createOpenRunsWatch({ readModel, clock, progress: roles.distributionProgress }),
    previews: openPreviews({
      ...drafts,
      genesisHash: chains.genesisHash,
      configuration,
      blobs: files.ledgers,
      ledgers: files.runLedgers,
    }),
    workload: createWorkload(readModel, { clock, ...limits }),
    node: createNodeWatch(chain, clock),
  };
}

/** Rejects where the log is of another seed or chain. A log that was begun is served while the chain does not answer. */
async function openEngineChain(
  foundation: Foundation,
  keyring: Keyring,
): Promise<Pick<Engine, 'chain' | 'localChain' | 'slotTime' | 'genesisHash'>> {
  const { configuration, log, clock, metrics, observed, executor, logger, whenClosing } = foundation;
  const { chain: bareChain, localChain } = await openChain(configuration, log, metrics.chainNodes.meter);
  if (localChain !== undefined) whenClosing(() => localChain.close());
  const observedChain = observed.chain(bareChain);
  const opened = (chain: Chain, genesisHash: string) => ({
    chain,
    localChain,
    genesisHash,
    slotTime: createSlotTime(chain, clock),
  });
  const checked = async () => {
    const genesisHash = await checkChain(foundation, keyring, observedChain, localChain !== undefined);
    await requireNonces(configuration, observedChain, keyring.feePayer.address, log);
    return genesisHash;
  };
  try {
    return opened(observedChain, await checked());
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || localChain !== undefined) throw error;
    const genesisHash = await begunOn(foundation.store, executor, keyring.fingerprint);
    // A log begins with the chain's name.
    if (genesisHash === undefined) throw error;
    const chainLogger = logger.child({ part: 'chain' });
    chainLogger.warn(
      { error: error.message },
      'started without a chain node: the chain is checked once it answers',
    );
    const check = async () => void (await checked());
    return opened(checkedLater(observedChain, { check, logger: chainLogger }), genesisHash);
  }
}

/** Resolves with the genesis hash. Throws `StartRefused` where the log is of another seed or chain. */
async function checkChain(
  { store, executor }: Foundation,
  { fingerprint }: Pick<Keyring, 'fingerprint'>,
  chain: Chain,
  isEmbedded: boolean,
): Promise<string> {
  const genesisHash = await (isEmbedded ? whenItAnswers(chain.genesisHash) : chain.genesisHash());
  await claimLog(store, executor, { seedFingerprint: fingerprint, genesisHash });
  return genesisHash;
}

async function openEngineFiles(
  foundation: Foundation,
): Promise<
  Pick<Engine, 'images' | 'imageFiles' | 'imagesTrouble' | 'ledgers' | 'ledgersTrouble' | 'runLedgers'>
> {
  const { configuration, logger, metrics, ledgerFiles, whenClosing } = foundation;
  const { store: imageFiles, trouble: imagesTrouble } = await openImageStore(configuration, {
    logger: logger.child({ part: 'images' }),
    meter: metrics.clients,
  });
  whenClosing(() => imageFiles.close());
  return { images: createImages(imageFiles), imageFiles, imagesTrouble, ...(await ledgerFiles()) };
}

async function openPayers(
  { configuration, clock }: Foundation,
  { keyring, chain, localChain }: Pick<Engine, 'keyring' | 'chain' | 'localChain'>,
): Promise<Pick<Engine, 'feePayer' | 'distributor'>> {
  const payer = ({ address }: { readonly address: string }, floor: bigint) =>
    createFeePayer({ chain, clock, address, floor });
  const feePayer = payer(keyring.feePayer, configuration.feePayerFloor);
  const distributor = payer(keyring.distributor, configuration.distributorFloor);
  if (configuration.roles.has('distributor') && localChain !== undefined) await distributor.refill();
  return { feePayer, distributor };
}

function policyOf(configuration: Configuration, keyring: Keyring): DraftPolicy {
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
    maxComputeUnitPrice: configuration.priorityFeeMax,
  };
}

interface EngineSecrets {
  readonly keyring: Keyring;
  /** Signs access tokens; undefined if none are issued. */
  readonly signingKey: SigningKey | undefined;
}

async function readEngineSecrets({ configuration, log, store }: Foundation): Promise<EngineSecrets> {
  // Created only before the log begins: what is missing after that was lost, and must not be created again.
  const mayCreate = configuration.embedded && (await store.head()) === START;
  const { seed, created } = await readMasterSeed(configuration.masterSeedFile, { mayCreate });
  const signingKey = configuration.roles.has('api')
    ? await readSigningKey(configuration, mayCreate)
    : undefined;
  if (created) {
    const { masterSeedFile: file, dataDirectory } = configuration;
    // A file elsewhere was named on purpose: that it was not there may be a mistake in its path.
    log[dirname(file) === dataDirectory ? 'info' : 'warn'](
      { file },
      'master seed created: keep a copy of this file, without it the collected tax is lost',
    );
  }
  if (mayCreate && !created) {
    log.warn(
      {},
      'event log empty but master seed present: if this service has run before, its log is missing',
    );
  }
  return { keyring: createKeyring(seed), signingKey };
}

async function readSigningKey(
  { jwtKeyFile }: Pick<Configuration, 'jwtKeyFile'>,
  mayCreate: boolean,
): Promise<SigningKey> {
  return (await readJwtKey(jwtKeyFile, { mayCreate, make: createKey, parse: parseSigningKey })).key;
}

/**
 * The chain of a process whose node did not answer at the start: each call first checks it, until it has been checked
 * once. A chain that a start would refuse rejects every call, so that nothing is signed for it or sent to it.
 * `check` rejects with `StartRefused` for such a chain, and as the chain does while that does not answer.
 */
function checkedLater(
  chain: Chain,
  { check, logger }: { readonly check: () => Promise<void>; readonly logger: Logger },
): Chain {
  let isChecked = false;
  let checking: Promise<void> | undefined;
  let refusal: string | undefined;

  async function checkNow(): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      if (refusal !== error.message)
        logger.error({ error: error.message }, 'the chain that answers is refused: nothing is sent to it');
      refusal = error.message;
      throw new ChainUnavailable(error.message);
    }
    isChecked = true;
    logger.warn({}, 'chain node answers, its chain is the right one');
  }

  return aroundCalls(chain, async (method, call) => {
    // Its answer is compared by readiness, and leads to nothing else.
    if (isChecked || method === 'genesisHash') return call();
    checking ??= checkNow().finally(() => {
      checking = undefined;
    });
    await checking.catch((error: unknown) => {
      throw error instanceof ChainUnavailable ? error : new ChainUnavailable(messageOf(error));
    });
    return call();
  });
}

type Parts = Pick<
  Engine,
  | 'keyring'
  | 'genesisHash'
  | 'chain'
  | 'localChain'
  | 'policy'
  | 'images'
  | 'ledgers'
  | 'runLedgers'
  | 'nonces'
  | 'foreignAdvances'
  | 'feePayer'
  | 'distributor'
  | 'settlements'
  | 'slotTime'
>;

interface EngineRoles {
  readonly launches: LaunchFiguresNow;
  /** Undefined while this process does not distribute. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  /** The loops that run in this process now. */
  repetitions(): { readonly [name: string]: Repetition };
}

async function startEngineRoles(foundation: Foundation, parts: Parts): Promise<EngineRoles> {
  const { projector } = foundation;
  const signalled = createSignalledDrafts(projector);
  const settler = await startSettlerRole(foundation, parts, signalled);
  const distributing = await startDistributorRole(foundation, parts);
  const pools = await startPools(foundation, parts, () => settler?.isHeld() ?? false);
  await startSignals(foundation, parts, signalled, () => settler?.work()?.kick());
  return {
    launches: pools.figures,
    distributionProgress: () => distributing?.work()?.progress,
    repetitions: () => ({
      ...settler?.work()?.repetitions,
      ...distributing?.work()?.repetitions,
      'pool-watcher': pools.repetition,
    }),
  };
}

/** Parts that every role works with. */
function commonOf({ configuration, executor, readModel, store, projector, clock, logger }: Foundation) {
  return { configuration, executor, readModel, store, projector, clock, logger };
}

/** Parts that refuse to act once the process has lost its lease. */
function fencedBy({ executor }: Foundation, { chain }: Parts, term: Pick<LeaseTerm, 'name' | 'isHeld'>) {
  return { executor: fencedExecutor(executor, term), chain: fencedChain(chain, term) };
}

async function startSettlerRole(
  foundation: Foundation,
  parts: Parts,
  { unseen, unrecorded }: Pick<SignalledDrafts, 'unseen' | 'unrecorded'>,
) {
  const { configuration, log, singletons, observed } = foundation;
  if (!configuration.roles.has('settler')) return undefined;
  const settler = await singletons.run('settler', (term) => {
    const { policy, keyring, foreignAdvances } = parts;
    const fenced = {
      ...commonOf(foundation),
      policy,
      keyring,
      foreignAdvances,
      ...fencedBy(foundation, parts, term),
    };
    return startSettling({
      ...fenced,
      // If no other process can settle, no fence is needed, and one pool knows what it has begun.
      nonces: foundation.isShared ? createNoncePool({ ...fenced, ...nonceLimits(foundation) }) : parts.nonces,
      images: fencedFiles(parts.images, term),
      feePayer: parts.feePayer,
      slotTime: parts.slotTime,
      unseen,
      unrecorded,
      airdropsFunds: parts.localChain !== undefined,
      imagesRemoved: (count) => log.info({ part: 'image-keeper', images: count }, 'unused images removed'),
      inTrace: observed.inTrace,
    });
  });
  foundation.whenClosing(() => settler.stop());
  return settler;
}

function nonceLimits({ configuration }: Pick<Foundation, 'configuration'>) {
  const { nonceAccountsMax: maximum, feePayerFloor: floor, rateLimits } = configuration;
  return { maximum, floor, sharesFairly: rateLimits !== undefined };
}

async function startDistributorRole(foundation: Foundation, parts: Parts) {
  const { configuration, singletons, metrics } = foundation;
  if (!configuration.roles.has('distributor')) return undefined;
  const { chainWitness } = configuration;
  const witness =
    chainWitness && (await adapterFor('chain', chainWitness.url).open({ url: chainWitness.url }));
  const distributing = await singletons.run('distributor', (term) =>
    startDistributing({
      ...commonOf(foundation),
      ...fencedBy(foundation, parts, term),
      keyring: parts.keyring,
      genesisHash: parts.genesisHash,
      witness,
      blobs: parts.ledgers,
      ledgers: parts.runLedgers,
      distributor: parts.distributor,
      airdropsFunds: parts.localChain !== undefined,
      counts: metrics.distributions,
    }),
  );
  foundation.whenClosing(() => distributing.stop());
  return distributing;
}

/** In each process, for its answers; what is seen is recorded by the one that settles. */
async function startPools(foundation: Foundation, parts: Parts, isSettler: () => boolean) {
  const pools = await startPoolWatch({
    ...commonOf(foundation),
    ...fencedBy(foundation, parts, { name: 'settler', isHeld: isSettler }),
    logger: foundation.logger.child({ part: 'pool-watcher' }),
    mayRecord: isSettler,
  });
  foundation.whenClosing(() => pools.repetition.stop());
  return pools;
}

async function startSignals(
  { store, executor, logger, whenClosing }: Foundation,
  { settlements }: Parts,
  signalled: SignalledDrafts,
  kick: () => void,
): Promise<void> {
  const signals = await startDraftSignals({
    store,
    after: signalled.shownUpTo(),
    learn: executor.learn,
    changed(transactionId, event) {
      signalled.add(transactionId, event);
      settlements.changed(transactionId);
    },
    submitted: kick,
    logger: logger.child({ part: 'draft-signals' }),
  });
  whenClosing(() => signals.stop());
}
