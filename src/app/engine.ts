/** The parts that build transactions and settle them, as the roles of a process share them. */
import type { LocalChain } from 'levy-local-chain';
import type { Keyring } from '../chain/keys.ts';
import type { Ledgers } from '../distribution/ledger/open-ledgers.ts';
import type { DistributionPreviews } from '../distribution/previews.ts';
import type { DistributionProgress } from '../distribution/services.ts';
import type { FeePayer } from '../drafts/fee-payer.ts';
import type { ForeignAdvances } from '../drafts/nonces/foreign-advances.ts';
import type { NoncePool } from '../drafts/nonces/nonce-pool.ts';
import type { LaunchFiguresNow } from '../drafts/observers/figures-now.ts';
import type { DraftPolicy } from '../drafts/policy.ts';
import type { Settlements } from '../drafts/settlements.ts';
import type { SlotTime } from '../drafts/slot-time.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { Repetition } from '../kernel/runtime/repeat.ts';
import type { WatchedStore } from '../kernel/runtime/watched-store.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import type { DistributionWatch } from '../operations/distribution-watch.ts';
import type { NodeLimits, NodeWatch } from '../operations/node-watch.ts';
import type { OpenRunsWatch } from '../operations/open-runs-watch.ts';
import type { Workload } from '../operations/workload.ts';
import type { SigningKey } from '../server/auth/signing-key.ts';
import type { Images } from '../server/images/images.ts';

export interface Engine {
  readonly keyring: Keyring;
  /** Signs access tokens; undefined if none are issued. */
  readonly signingKey: SigningKey | undefined;
  readonly chain: Chain;
  readonly genesisHash: string;
  /** Undefined if the chain is not ours. */
  readonly localChain: LocalChain | undefined;
  readonly policy: DraftPolicy;
  readonly images: Images;
  /** The same as blobs. */
  readonly imageFiles: BlobStore;
  /** What keeps images from being stored. */
  readonly imagesTrouble: WatchedStore<BlobStore>['trouble'];
  /** The files of distributions: public, named by their content. */
  readonly ledgers: BlobStore;
  /** The same, read: one cache for queries, previews and the distributor. */
  readonly runLedgers: Ledgers;
  /** What keeps ledgers from being stored. */
  readonly ledgersTrouble: WatchedStore<BlobStore>['trouble'];
  readonly nonces: NoncePool;
  readonly foreignAdvances: ForeignAdvances;
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

/** In slots: several times what finality takes. */
const [STALL, LAG, SETTLE_GRACE] = [50, 150, 64];
/** Blocks lie behind for longer than slots stand still: the cluster may go on without this node. */
const LAG_IN_STALLS = LAG / STALL;

export interface ChainLimits extends NodeLimits {
  /** Milliseconds after its deadline until a submission is overdue. */
  readonly settleGrace: number;
}

export function chainLimits(configuration: Configuration): ChainLimits {
  const { chain, localChainSlotMs, chainStallMs, settleGraceMs } = configuration;
  // An embedded chain may have slots of a minute.
  const slot = chain.isEmbedded ? localChainSlotMs : 0;
  return {
    stall: Math.max(chainStallMs, STALL * slot),
    lag: Math.max(LAG_IN_STALLS * chainStallMs, LAG * slot),
    settleGrace: Math.max(settleGraceMs, SETTLE_GRACE * slot),
  };
}
