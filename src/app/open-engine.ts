/** Opens the parts that build transactions and settle them: the keys, the chain, the read models, the loops. */
import type { Keyring } from '../chain/keys.ts';
import { createFeePayer } from '../drafts/fee-payer.ts';
import { createForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import { createNoncePool } from '../drafts/nonces/nonce-pool.ts';
import type { DraftPolicy } from '../drafts/policy.ts';
import { createSettlements } from '../drafts/settlements.ts';
import { createSlotTime } from '../drafts/slot-time.ts';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createDistributionWatch } from '../operations/distribution-watch.ts';
import { createNodeWatch } from '../operations/node-watch.ts';
import { createOpenRunsWatch } from '../operations/open-runs-watch.ts';
import { createWorkload } from '../operations/workload.ts';
import { shareImages } from '../server/images/shared-images.ts';
import { chainLimits } from './chain-limits.ts';
import { checkedLater } from './checked-chain.ts';
import { begunOn, claimLog } from './claim-log.ts';
import { openPreviews } from './distributing.ts';
import type { Engine } from './engine.ts';
import { nonceLimits, startEngineRoles } from './engine-roles.ts';
import { readEngineSecrets } from './engine-secrets.ts';
import type { Foundation } from './foundation.ts';
import { openChain, whenItAnswers } from './open-chain.ts';
import { openImageStore } from './open-files.ts';
import { OPEN_DRAFTS_PER_WALLET } from './public-configuration.ts';
import { requireNonces } from './require-nonces.ts';
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
    previews: openPreviews({ ...drafts, configuration, blobs: files.ledgers, ledgers: files.runLedgers }),
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
): Promise<Pick<Engine, 'images' | 'imagesTrouble' | 'ledgers' | 'ledgersTrouble' | 'runLedgers'>> {
  const { configuration, logger, metrics, ledgerFiles, whenClosing } = foundation;
  const { store: watched, trouble: imagesTrouble } = await openImageStore(configuration, {
    logger: logger.child({ part: 'images' }),
    meter: metrics.clients,
  });
  const images = shareImages(watched);
  whenClosing(() => images.close());
  return { images, imagesTrouble, ...(await ledgerFiles()) };
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
