/** Behaviour of a purpose: additional signers, claims of a submission, and recording of a landed draft. */

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

/**
 * Existence of the accounts that a draft creates: present, missing, or unknown. `at`: creation time in seconds since the epoch.
 */
export type Made =
  | { readonly kind: 'yes'; readonly at?: bigint }
  | { readonly kind: 'no' }
  | { readonly kind: 'untold' };

interface Traces {
  readonly addresses: readonly string[];
  /** Judges the accounts at these addresses, from one read of the chain. */
  made(accounts: readonly (ChainAccount | undefined)[]): Made;
}

/** Services that purposes may use. */
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

/** Events that record subjects of this kind, as the purpose's data half names them. */
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
   * Signing keys of the service, except the nonce authority. On a recent blockhash there is at least one; the first is derived
   * from the transactionId and signs nothing else, so that its history on the chain shows whether the draft landed.
   */
  signers(keyring: Keyring, transactionId: string, lifetime: Lifetime['kind']): readonly KeyPair[];

  /** Accounts that only a landed draft creates; absent if the draft creates none, or none that persist. */
  traces?(draft: Pick<DraftOf<Subject>, 'creator' | 'subject'>): Traces;

  /**
   * Claims exclusive resources, after all checks and right before the submission is recorded. The same draft may claim again.
   * Rejects if the claim fails; a claim becomes void when its draft ends without landing.
   */
  claim?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /**
   * Purpose-specific reason why the chain rejects the draft, if it is better than the chain's own error. Called after a
   * simulation or the chain has rejected the draft; undefined if there is no such reason.
   */
  refusal?(draft: DraftOf<Subject>, parts: PurposeParts): Promise<Rejection | undefined>;

  /** Records the effect of the draft once; does nothing if it is already recorded. */
  record(draft: LandedDraft<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /** Event recorded by `record`; undefined before it, or after its reversal. Reads streams instead of read models. */
  recorded(draft: LandedDraft<Subject>, parts: PurposeParts): Promise<Recorded<Event> | undefined>;

  /** Called if a fork reverted the transaction after `record` and it did not land again. Absent: nothing to revert. */
  revert?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;
}

/**
 * Additional signer of a draft that creates no account: without a nonce, the history of this memo key shows whether the draft
 * landed.
 */
export function memoSigners(
  keyring: Keyring,
  transactionId: string,
  lifetime: Lifetime['kind'],
): readonly KeyPair[] {
  return lifetime === 'durable-nonce' ? [] : [keyring.draft(transactionId)];
}
