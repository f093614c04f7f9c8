/** The behaviour half of a purpose: who signs beside the creator, what a submission claims, and what is recorded once the draft has landed. */

import type { KeyPair, Keyring } from '../../chain/keys.ts';
import type { Chain } from '../../ports/chain.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DomainEvent } from '../../runtime/define-stream.ts';
import type { Recorded } from '../../runtime/event-codec.ts';
import type { Cause, Executor } from '../../runtime/execute.ts';
import type { LandedSubmission } from '../../streams/draft.ts';
import type { LevyEvent } from '../../streams/index.ts';
import type { AnyPurpose, DraftSubject, PurposeKind } from '../../streams/purposes/index.ts';

export interface DraftOf<Subject extends DraftSubject> {
  readonly transactionId: string;
  readonly creator: string;
  readonly subject: Subject;
}

export interface LandedDraft<Subject extends DraftSubject> extends DraftOf<Subject> {
  readonly landed: LandedSubmission;
}

/** What purposes may use. */
export interface PurposeParts {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly policy: {
    /** How many tokens the featured list has room for at a time. */
    readonly featuredPlaces: number;
  };
}

/** The event that records subjects of a kind: the one that the purpose's data half names. */
export type RecordingEvent<Kind extends PurposeKind> = Extract<
  LevyEvent,
  { readonly type: Extract<AnyPurpose, { readonly kind: Kind }>['recordedBy'] }
>;

export interface PurposeBehaviour<
  Subject extends DraftSubject = DraftSubject,
  Event extends DomainEvent = RecordingEvent<Subject['kind']>,
> {
  readonly kind: Subject['kind'];

  /** The keys of the service that sign, the nonce authority aside. */
  signers(keyring: Keyring, transactionId: string): readonly KeyPair[];

  /**
   * Takes what only one draft can have, after every check and right before the submission is recorded. The same draft
   * may claim again. Rejects if it cannot be had; a claim whose draft ends without landing is void by itself.
   */
  claim?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /** Records what the draft was for, once: if it is recorded already, nothing happens. */
  record(draft: LandedDraft<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;

  /** The event that `record` recorded; undefined while it is not, or was taken back. Reads streams, no read model. */
  recorded(draft: DraftOf<Subject>, parts: PurposeParts): Promise<Recorded<Event> | undefined>;

  /** A fork took the transaction back after `record`, and it never landed again. Without it there is nothing to take back. */
  revert?(draft: DraftOf<Subject>, parts: PurposeParts, cause: Cause): Promise<void>;
}
