/** Dependencies of the engine. */
import type { Keyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import type { RunPolicy } from '../streams/distribution.ts';
import type { EngineStep } from '../streams/distribution-step.ts';
import type { Wait } from '../streams/distribution-wait.ts';
import type { Ledgers } from './ledger/open-ledgers.ts';
import type { RECIPIENTS } from './paying/plan-batches.ts';
import type { SalePrices } from './selling/price-sampler.ts';
import type { Markets } from './selling/sale-venue.ts';
import type { ChainSuitability } from './sending/chain-suitability.ts';
import type { Sender } from './sending/sender.ts';
import type { DistributionCounts, WitnessState } from './services.ts';

export interface DistributionPolicy {
  readonly holding: RunPolicy['holding'];
  /** Lamports: a smaller share is not divided. */
  readonly leastShare: bigint;
  /** Lamports: a smaller payment is owed until it has grown. */
  readonly minimumPayout: bigint;
  /** Lamports below which the distributor opens no run. */
  readonly floor: bigint;
  /** The most of a run's proceeds that its fees may take. */
  readonly costsMaxBasisPoints: number;
  /** Lamports of fees that runs in the token itself may cost a token in a day. */
  readonly selfCostsPerDay: bigint;
  readonly mostPots: number;
  /** Milliseconds between the allotment and the first payment. */
  readonly announce: number;
  /** The most recipients of a transaction, by asset; at most as many as fit. */
  readonly recipients: typeof RECIPIENTS;
}

export interface EngineParts {
  readonly executor: Executor;
  readonly chain: Chain;
  /** A second node, whose word is needed to close the books. */
  readonly witness: Chain | undefined;
  /** Called with each answer of the witness. */
  readonly witnessSaid: (word: Omit<WitnessState, 'since'>) => void;
  readonly blobs: BlobStore;
  readonly ledgers: Ledgers;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly markets: Markets;
  readonly prices: SalePrices;
  readonly sender: Sender;
  readonly policy: DistributionPolicy;
  /** Resolves when others had a chance to run. */
  readonly rest: () => Promise<void>;
  readonly counts: DistributionCounts;
  readonly suitability: ChainSuitability;
}

/** Result of one step. */
export interface StepResult {
  /** Milliseconds until the next step. */
  readonly pause: number;
  readonly step: EngineStep;
  /** When something was last recorded of the open run. ISO 8601. */
  readonly movedAt?: string;
  readonly waitingFor?: Wait;
  /** Error that the step threw after reading its records; the step is retried. */
  readonly failure?: unknown;
}

/** Milliseconds between two reads of the chain while something is in flight. */
export const LOOK_PAUSE = 400;
/** Milliseconds after which something is tried again that does not depend on us. */
export const TROUBLE_PAUSE = 5_000;
/** Longest pause of a token, in milliseconds. Any event of the token ends it. */
export const LONGEST_PAUSE = 60_000;
