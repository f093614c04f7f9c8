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
  /** Smallest share in lamports; smaller ones stay undivided. */
  readonly minShare: bigint;
  /** Smallest payment in lamports; smaller amounts stay owed and accumulate. */
  readonly minimumPayout: bigint;
  /** Minimum balance of the distributor, in lamports, to open a run. */
  readonly floor: bigint;
  /** Maximum part of a run's proceeds that its fees may use. */
  readonly costsMaxBasisPoints: number;
  /** Maximum fees, in lamports per token and day, of runs that pay in the token itself. */
  readonly selfCostsPerDay: bigint;
  readonly maxPots: number;
  /** Milliseconds between the allotment and the first payment. */
  readonly announce: number;
  /** Maximum number of recipients of a transaction, by asset; limited by the transaction size. */
  readonly recipients: typeof RECIPIENTS;
}

export interface EngineParts {
  readonly executor: Executor;
  readonly chain: Chain;
  /** Second node, whose agreement is needed to close the books. */
  readonly witness: Chain | undefined;
  /** Called with the result of each check by the witness. */
  readonly onWitnessVerdict: (word: Omit<WitnessState, 'since'>) => void;
  readonly blobs: BlobStore;
  readonly ledgers: Ledgers;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly markets: Markets;
  readonly prices: SalePrices;
  readonly sender: Sender;
  readonly policy: DistributionPolicy;
  /** Yields to other tasks; resolves when the caller may continue. */
  readonly yieldToOthers: () => Promise<void>;
  readonly counts: DistributionCounts;
  readonly suitability: ChainSuitability;
}

/** Result of one step. */
export interface StepResult {
  /** Milliseconds until the next step. */
  readonly pause: number;
  readonly step: EngineStep;
  /** ISO 8601 time of the open run's latest event. */
  readonly movedAt?: string;
  readonly waitingFor?: Wait;
  /** Error that the step threw after reading its records; the step is retried. */
  readonly failure?: unknown;
}

/** Milliseconds between two reads of the chain while a transaction is pending. */
export const READ_PAUSE = 400;
/** Milliseconds before a retry if the cause is outside this process. */
export const TROUBLE_PAUSE = 5_000;
/** Longest pause of a token, in milliseconds. Any event of the token ends it. */
export const MAX_PAUSE = 60_000;
