/** Plan of a draft's transaction, before its price, simulation and lifetime are known. */
import type { Instruction } from 'levy-solana-wire';
import type { Cause } from '../kernel/runtime/execute.ts';
import type { Lifetime } from '../streams/draft-events.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import type { DraftServices } from './services.ts';

/**
 * `service`: valid for the five minutes promised to clients, with a lifetime as configured. `client`: on a recent
 * blockhash, signed by the service already, and valid for about 150 blocks.
 */
export type SentBy = 'service' | 'client';

export interface DraftPlan<Subject extends DraftSubject> {
  readonly subject: Subject;
  /** Run after the compute-unit price, and after the nonce advance if there is one. */
  readonly instructions: readonly Instruction[];
  /** Lamports that the creator pays besides the fee: rent, prices. */
  readonly payments: bigint;
  /** The accounts whose traffic determines the compute-unit price. */
  readonly writable: readonly string[];
  /** Claims what only one draft can have; the last step before the draft is recorded. */
  readonly claim?: () => Promise<void>;
}

export interface PlanContext {
  readonly services: DraftServices;
  readonly transactionId: string;
  readonly creator: string;
  /** The partner whose key came with the call. */
  readonly partner: string | undefined;
  /** The widest network of the caller's address; undefined for partners. */
  readonly network: string | undefined;
  readonly cause: Cause;
  readonly lifetime: Lifetime['kind'];
}
