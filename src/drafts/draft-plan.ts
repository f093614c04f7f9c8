/** Plan of a draft's transaction, before its price, simulation and lifetime are known. */
import type { Instruction } from 'levy-solana-wire';
import type { Cause } from '../kernel/runtime/execute.ts';
import type { Lifetime } from '../streams/draft-events.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import type { DraftServices } from './services.ts';

/**
 * `service`: valid for the five minutes promised to clients, with the configured lifetime. `client`: on a recent blockhash,
 * already signed by the service, and valid for about 150 blocks.
 */
export type SentBy = 'service' | 'client';

export interface DraftPlan<Subject extends DraftSubject> {
  readonly subject: Subject;
  /** Instructions after the compute-unit price and the nonce advance, if any. */
  readonly instructions: readonly Instruction[];
  /** Lamports that the creator pays besides the fee, such as rents and prices. */
  readonly payments: bigint;
  /** Accounts whose recent prioritization fees determine the compute-unit price. */
  readonly writable: readonly string[];
  /** Claims an exclusive resource; the last step before the draft is recorded. */
  readonly claim?: () => Promise<void>;
}

export interface PlanContext {
  readonly services: DraftServices;
  readonly transactionId: string;
  readonly creator: string;
  /** Partner whose key was sent with the call. */
  readonly partner: string | undefined;
  /** Widest network of the caller's address; undefined for partners. */
  readonly network: string | undefined;
  readonly cause: Cause;
  readonly lifetime: Lifetime['kind'];
}
