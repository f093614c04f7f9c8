/**
 * The behaviour half of a purpose: who signs besides the creator, what a submission claims, and what a landed draft
 * records.
 */

import type { KeyPair, Keyring } from '../../chain/keys.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { DomainEvent } from '../../kernel/runtime/define-stream.ts';
import type { Recorded } from '../../kernel/runtime/event-codec.ts';
import type { Cause, Executor } from '../../kernel/runtime/execute.ts';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import type { LandedSubmission, Lifetime } from '../../streams/draft-events.ts';
import type { LevyEvent } from '../../streams/index.ts';
import type { AnyPurpose, DraftSubject, PurposeKind, RecordingTypeOf } from '../../streams/purposes/index.ts';

export interface DraftOf<Subject extends DraftSubject> {
  readonly transactionId: string;
  readonly creator: string;
  readonly subject: Subject;
}

export interface LandedDraft<Subject extends DraftSubject> extends DraftOf<Subject> {
  readonly landed: LandedSubmission;
}

/** Existence of the accounts that a draft creates: present, missing, or not shown. `at`: creation time in seconds since 1970. */
export type Made =
  | { readonly kind: 'yes'; readonly at?: bigint }
  | { readonly kind: 'no' }
  | { readonly kind: 'untold' };

interface Traces {
  readonly addresses: readonly string[];
  /** The accounts at these addresses, from one read of the chain. */
  made(accounts: readonly (ChainAccount | undefined)[]): Made;
}

/** The parts of the service that purposes may use. */
export interface PurposeParts {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly policy: {
    /** Capacity of the featured list. */
    readonly featuredPlaces: number;
  };
}

/** The events that record subjects of this kind, as the purpose's data half names them. */
type RecordingEvent<Kind extends PurposeKind> = Extract<
  LevyEvent,
  { readonly type: RecordingTypeOf<Extract<AnyPurpose, { readonly kind: Kind }>> }
>;

export interface PurposeBehaviour<
  Subject extends DraftSubject = DraftSubject,
  Event extends DomainEvent = RecordingEvent<Subject['kind']>,
> {
  readonly kind: Subject['kind'];

  /**
   * The service's keys that sign, except the nonce authority. On a recent blockhash there is at least one; the first is
   * derived from the transactionId and signs nothing else, so its history on the chain shows whether the draft landed.
   */
  signers(keyring: Keyring, transactionId: string, lifetime: Lifetime['kind']): readonly KeyPair[];

  /** Accounts that only a landed draft makes; absent where it makes none that stay, such as for a payment. */
  traces?(draft: Pick<DraftOf<Subject>, 'creator' | 'subject'>): Traces;

  /**
   * Claims what only one draft can have, after every check and right before the submission is recorded. The same draft
   * may claim again. Rejects if the claim fails; a claim becomes void when its draft ends without landing.
   */
  claim?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /**
   * Why the chain cannot take the draft, where its purpose says more than the chain's own error. Asked when a
   * simulation or the chain has refused the draft; undefined if nothing speaks against it.
   */
  refusal?(draft: DraftOf<Subject>, parts: PurposeParts): Promise<Rejection | undefined>;

  /** Records what the draft was for, once: if it is already recorded, nothing happens. */
  record(draft: LandedDraft<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /** The event that `record` recorded; undefined before it, or once it was taken back. Reads streams, no read model. */
  recorded(draft: LandedDraft<Subject>, parts: PurposeParts): Promise<Recorded<Event> | undefined>;

  /**
   * Called if a fork took the transaction back after `record` and it never landed again. Absent: nothing to take back.
   */
  revert?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;
}

/**
 * Additional signer of a draft whose transaction creates no account: the key of its memo, if no nonce shows whether it landed.
 */
export function memoSigners(
  keyring: Keyring,
  transactionId: string,
  lifetime: Lifetime['kind'],
): readonly KeyPair[] {
  return lifetime === 'durable-nonce' ? [] : [keyring.draft(transactionId)];
}
