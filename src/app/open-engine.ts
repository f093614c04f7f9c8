/** Opens the parts that build transactions and settle them: the keys, the chain, the read models, the loops. */

import { dirname } from 'node:path';
import type { LocalChain } from 'levy-local-chain';
import { readJwtKey, readMasterSeed } from '../adapters/file/secrets.ts';
import { createKey, parseSigningKey, type SigningKey } from '../auth/signing-key.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import { createLedgers, type Ledgers } from '../distribution/ledger/open-ledgers.ts';
import type { DistributionPreviews } from '../distribution/previews.ts';
import type { DistributionProgress } from '../distribution/services.ts';
import { startDraftSignals } from '../drafts/draft-signals.ts';
import { createFeePayer, type FeePayer } from '../drafts/fee-payer.ts';
import { createNoncePool, type NoncePool } from '../drafts/nonces/nonce-pool.ts';
import type { DraftPolicy } from '../drafts/policy.ts';
import { createSettlements, type Settlements } from '../drafts/settlements.ts';
import { createSignalledDrafts } from '../drafts/signalled-drafts.ts';
import { createSlotTime, type SlotTime } from '../drafts/slot-time.ts';
import { shareImages } from '../images/shared-images.ts';
import { fencedChain, fencedExecutor, fencedImages } from '../leases/fenced.ts';
import type { LeaseTerm } from '../leases/lease-term.ts';
import type { LaunchFiguresNow } from '../observers/figures-now.ts';
import { startPoolWatch } from '../observers/pool-watch.ts';
import { createDistributionWatch, type DistributionWatch } from '../operations/distribution-watch.ts';
import { createNodeWatch, type NodeWatch } from '../operations/node-watch.ts';
import { createOpenRunsWatch, type OpenRunsWatch } from '../operations/open-runs-watch.ts';
import { createWorkload, type Workload } from '../operations/workload.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Chain } from '../ports/chain.ts';
import { START } from '../ports/event-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { Projections } from '../runtime/projector.ts';
import type { Repetition } from '../runtime/repeat.ts';
import type { WatchedStore } from '../runtime/watched-store.ts';
import { adapterFor } from './adapters.ts';
import { type ChainLimits, chainLimits } from './chain-limits.ts';
import { claimLog } from './claim-log.ts';
import { openPreviews, startDistributing } from './distributing.ts';
import type { Foundation } from './foundation.ts';
import { openBlobs } from './open-blobs.ts';
import { openChain, whenItAnswers } from './open-chain.ts';
import { openImages } from './open-images.ts';
import { policyOf } from './policy.ts';
import { requireNonces } from './require-nonces.ts';
import { startSettling } from './settling.ts';
import { startProjections } from './start-projections.ts';

/** Milliseconds that the settler waits for a submission to be seen, before it looks all the same. */
const SEEN_WITHIN = 300;

/** The longest that a start waits for the read models, in milliseconds. */
const BUILT_WITHIN = 3_000;

export interface Engine {
  readonly keyring: Keyring;
  /** Signs access tokens; undefined if none are issued. */
  readonly signingKey: SigningKey | undefined;
  readonly chain: Chain;
  readonly genesisHash: string;
  /** Undefined if the chain is not ours. */
  readonly localChain: LocalChain | undefined;
  readonly policy: DraftPolicy;
  readonly images: ImageStore;
  /** What keeps images from being stored. */
  readonly imagesTrouble: WatchedStore<ImageStore>['trouble'];
  /** The files of distributions: public, named by their content. */
  readonly ledgers: BlobStore;
  /** The same, read: one cache for queries, previews and the distributor. */
  readonly runLedgers: Ledgers;
  /** What keeps ledgers from being stored. */
  readonly ledgersTrouble: WatchedStore<BlobStore>['trouble'];
  readonly nonces: NoncePool;
  readonly feePayer: FeePayer;
  readonly settlements: Settlements;
  readonly launches: LaunchFiguresNow;
  readonly workload: Workload;
  readonly distributions: DistributionWatch;
  readonly openRuns: OpenRunsWatch;
  /** Pays the fees of distributions and lends their rents. */
  readonly distributor: FeePayer;
  /** Tells of the distributions of this process; undefined while it does not distribute. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  readonly previews: DistributionPreviews;
  readonly node: NodeWatch;
  readonly slotTime: SlotTime;
  readonly limits: ChainLimits;
  /** The loops that run in this process now. */
  repetitions(): { readonly [name: string]: Repetition };
}

export async function openEngine(foundation: Foundation): Promise<Engine> {
  const { configuration, log, clock, store, readModel, projector, executor, observed } = foundation;
  const { reportOf, singletons, whenClosing } = foundation;

  // Created only before the log begins: what is missing after that was lost, and must not be created again.
  const mayCreate = configuration.embedded && (await store.head()) === START;
  const { seed, created } = await readMasterSeed(configuration.masterSeedFile, { mayCreate });
  const signingKey = configuration.roles.has('api')
    ? (
        await readJwtKey(configuration.jwtKeyFile, {
          mayCreate,
          make: createKey,
          parse: parseSigningKey,
        })
      ).key
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
  const keyring = createKeyring(seed);

  const { chain: bareChain, localChain } = await openChain(
    configuration,
    log,
    foundation.metrics.chainNodes.meter,
  );
  if (localChain !== undefined) whenClosing(() => localChain.close());
  const chain = observed.chain(bareChain);
  const limits = chainLimits(configuration);
  const slotTime = createSlotTime(chain, clock);
  const genesisHash = await (localChain === undefined
    ? chain.genesisHash()
    : whenItAnswers(chain.genesisHash));
  await claimLog(store, executor, { seedFingerprint: keyring.fingerprint, genesisHash });
  await requireNonces(configuration, chain, keyring.feePayer.address, log);
  await startProjections(foundation);
  // Until then, requests are told to retry; usually there is little to catch up with.
  await projector.whenBuilt(BUILT_WITHIN);

  const meter = foundation.metrics.clients;
  const { store: watched, trouble: imagesTrouble } = await openImages(configuration, {
    report: reportOf('images'),
    meter,
  });
  const images = shareImages(watched);
  whenClosing(() => images.close());
  const { store: ledgers, trouble: ledgersTrouble } = await openBlobs(configuration, {
    report: reportOf('ledgers'),
    meter,
  });
  whenClosing(() => ledgers.close());
  const runLedgers = createLedgers(ledgers);
  const policy = policyOf(configuration, keyring);
  const parts = { executor, readModel, chain, clock, policy };
  const { address } = keyring.feePayer;
  const { nonceAccountsMax: maximum, feePayerFloor: floor } = configuration;
  const poolParts = { ...parts, keyring, maximum, floor };
  const nonces = createNoncePool(poolParts);
  const feePayer = createFeePayer({ chain, clock, address, floor });
  const distributor = createFeePayer({
    chain,
    clock,
    address: keyring.distributor.address,
    floor: configuration.distributorFloor,
  });
  if (configuration.roles.has('distributor') && localChain !== undefined) await distributor.refill();
  const settlements = createSettlements(parts);
  const { chainWitness } = configuration;
  const witness =
    chainWitness && (await adapterFor('chain', chainWitness.url).open({ url: chainWitness.url }));

  const fencedBy = (term: Pick<LeaseTerm, 'name' | 'isHeld'>) => ({
    executor: fencedExecutor(executor, term),
    chain: fencedChain(chain, term),
  });
  const signalled = createSignalledDrafts(projector);
  const settler = configuration.roles.has('settler')
    ? await singletons.run('settler', (term) =>
        startSettling({
          ...parts,
          ...fencedBy(term),
          // If no other process can settle, no fence is needed, and one pool knows what it has begun.
          nonces: foundation.isShared ? createNoncePool({ ...poolParts, ...fencedBy(term) }) : nonces,
          images: fencedImages(images, term),
          feePayer,
          configuration,
          store,
          projector,
          unseen: signalled.unseen,
          keyring,
          airdropsFunds: localChain !== undefined,
          imagesRemoved: (count) =>
            log.info({ part: 'image-keeper', images: count }, 'unused images removed'),
          reportOf,
          inTrace: observed.inTrace,
          slotTime,
        }),
      )
    : undefined;
  if (settler !== undefined) whenClosing(() => settler.stop());

  const distributing = configuration.roles.has('distributor')
    ? await singletons.run('distributor', (term) =>
        startDistributing({
          ...parts,
          ...fencedBy(term),
          configuration,
          store,
          keyring,
          witness,
          blobs: ledgers,
          ledgers: runLedgers,
          distributor,
          airdropsFunds: localChain !== undefined,
          counts: foundation.metrics.distributions,
          reportOf,
        }),
      )
    : undefined;
  if (distributing !== undefined) whenClosing(() => distributing.stop());
  const distributionProgress = () => distributing?.work()?.progress;

  const isSettler = () => settler?.isHeld() ?? false;
  const pools = await startPoolWatch({
    ...parts,
    ...fencedBy({ name: 'settler', isHeld: isSettler }),
    report: reportOf('pool-watcher'),
    mayRecord: isSettler,
  });
  whenClosing(() => pools.repetition.stop());

  const signals = await startDraftSignals({
    store,
    after: signalled.blockedAfter(),
    changed(transactionId) {
      signalled.add(transactionId);
      settlements.changed(transactionId);
    },
    submitted: (position) => void kickWhenSeen(projector, position, () => settler?.work()?.kick()),
    report: reportOf('draft-signals'),
  });
  whenClosing(() => signals.stop());

  return {
    keyring,
    signingKey,
    chain,
    genesisHash,
    localChain,
    policy,
    images,
    imagesTrouble,
    ledgers,
    ledgersTrouble,
    runLedgers,
    nonces,
    feePayer,
    settlements,
    launches: pools.figures,
    distributions: createDistributionWatch(readModel, clock),
    openRuns: createOpenRunsWatch({ readModel, clock, progress: distributionProgress }),
    distributor,
    previews: openPreviews({ ...parts, configuration, keyring, blobs: ledgers, ledgers: runLedgers }),
    distributionProgress,
    workload: createWorkload(readModel, { clock, ...limits }),
    node: createNodeWatch(chain, clock),
    slotTime,
    limits,
    repetitions: () => ({
      ...settler?.work()?.repetitions,
      ...distributing?.work()?.repetitions,
      'pool-watcher': pools.repetition,
    }),
  };
}

/** The loops find their work in a read model, which may lag a moment. */
async function kickWhenSeen(
  projector: Pick<Projections, 'waitFor'>,
  position: string,
  kick: () => void,
): Promise<void> {
  await projector.waitFor(position, SEEN_WITHIN);
  kick();
}
