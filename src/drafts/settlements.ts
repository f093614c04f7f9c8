/** Waits until the log contains the outcome of an accepted submission. */
import { createCondition } from '../kernel/runtime/condition.ts';
import type { DomainEvent } from '../kernel/runtime/define-stream.ts';
import type { Recorded } from '../kernel/runtime/event-codec.ts';
import { draft } from '../streams/draft.ts';
import { type FailedDraft, isLiving } from '../streams/draft-state.ts';
import { type DraftSubject, isDue } from '../streams/purposes/index.ts';
import type { LandedDraft, PurposeBehaviour, PurposeParts } from './purposes/purpose-behaviour.ts';

/** Milliseconds between two reads of the log, in case a signal is late. */
const CHECK_INTERVAL = 1_000;

type Settlement<Subject extends DraftSubject, Event extends DomainEvent> =
  /** The draft has landed and its effect is recorded. A read at the event's position includes it. */
  | { readonly kind: 'recorded'; readonly draft: LandedDraft<Subject>; readonly event: Recorded<Event> }
  | { readonly kind: 'failed'; readonly draft: FailedDraft }
  | {
      readonly kind: 'pending';
      /** True if the outcome is being searched in a flooded history. */
      readonly isSearched: boolean;
    };

export type Settlements = ReturnType<typeof createSettlements>;

export function createSettlements(parts: PurposeParts) {
  const changes = createCondition();
  /** Draft whose waiting calls are being notified. */
  let changing: string | undefined;
  let released = false;

  async function check<Subject extends DraftSubject, Event extends DomainEvent>(
    transactionId: string,
    purpose: PurposeBehaviour<Subject, Event>,
  ): Promise<Settlement<Subject, Event>> {
    const { state } = await parts.executor.load(draft, transactionId, { trust: 'cached' });
    if (state.status === 'failed') return { kind: 'failed', draft: state };
    const isSearched = isLiving(state) && state.flooded !== undefined;
    const pending = { kind: 'pending', isSearched } as const;
    if (!('landed' in state)) return pending;
    // The event is recorded only after this status; avoid reading its stream, which may be long.
    if (!isDue(state.status, purpose.kind)) return pending;
    const { issued, landed } = state;
    // The caller guarantees that the draft is of this purpose.
    const subject = issued.subject as Subject;
    const found: LandedDraft<Subject> = { transactionId, creator: issued.creator, subject, landed };
    const event = await purpose.recorded(found, parts);
    return event === undefined ? pending : { kind: 'recorded', draft: found, event };
  }

  return {
    /** Call after any process has recorded an event about the draft. */
    changed(transactionId: string) {
      changing = transactionId;
      changes.notify();
      changing = undefined;
    },
    /** Resolves with `pending` on timeout, or after `release`. The draft must be of this purpose. */
    async wait<Subject extends DraftSubject, Event extends DomainEvent>(
      transactionId: string,
      purpose: PurposeBehaviour<Subject, Event>,
      milliseconds: number,
    ): Promise<Settlement<Subject, Event>> {
      const until = performance.now() + milliseconds;
      for (;;) {
        // Subscribe before reading, so that no change in between is missed.
        const left = until - performance.now();
        const isChanged = () => released || changing === transactionId;
        const next = changes.until(isChanged, Math.max(0, Math.min(left, CHECK_INTERVAL)));
        const settlement = await check(transactionId, purpose);
        if (settlement.kind !== 'pending' || left <= 0 || released) return settlement;
        await next;
      }
    },
    /** Ends all current and future waits before the process stops. */
    release() {
      released = true;
      changes.notify();
    },
  };
}
