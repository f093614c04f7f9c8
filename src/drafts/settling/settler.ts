/**
 * Follows recorded drafts until the chain has decided about them: sends what is due and records the outcome. Finds its
 * work in the log alone, so that it continues after any restart.
 */

import type { Chain } from '../../ports/chain.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import type { InTrace } from '../../ports/tracing.ts';
import { type TransactionDocument, transactions, type Work } from '../../projections/transactions.ts';
import type { Clock } from '../../runtime/clock.ts';
import { unlessUndecodable } from '../../runtime/event-reader.ts';
import type { Executor } from '../../runtime/execute.ts';
import { type DraftEvent, type DraftStatus, draft, SubmissionDropped } from '../../streams/draft.ts';
import type { SlotTime } from '../slot-time.ts';
import { type FollowedDraft, followDraft, requireSomeSuccess } from './followed-draft.ts';

/** Milliseconds before the same bytes are sent again. */
const RESEND_PAUSE = 2_000;
/** A single node that is behind is no fork: a confirmation counts as gone after this many observations in a row. */
const OBSERVATIONS_OF_A_FORK = 5;
const DRAFTS_PER_ROUND = 1_000;
/** Between two looks at a draft that only time changes, such as one that waits for finality. */
const SLOTS_BETWEEN_LOOKS = 4;
/** Milliseconds: the same, as long as nobody knows how long slots are, and at most. */
const [UNMEASURED_REST, LONGEST_REST] = [1_000, 2_000];

/** What to do about a draft now. */
export type Step =
  | { readonly kind: 'wait' }
  /** Base64; skipped if the same bytes were sent a moment ago. */
  | { readonly kind: 'send'; readonly transaction: string }
  | { readonly kind: 'record'; readonly event: DraftEvent }
  /** The confirmed transaction is no longer on the chain. */
  | { readonly kind: 'gone' };

/** How drafts of one lifetime are observed and judged. It only reads the chain; the settler alone sends and records. */
export interface FollowedLifetime<Draft extends FollowedDraft, Observation> {
  /** The part of the service that acts, and the actor of what it records. */
  readonly part: string;
  /** Finds the drafts to work on. */
  readonly work: Work;
  /** The draft with what this lifetime needs to know about it; undefined if there is nothing to do. */
  select(draft: FollowedDraft): Draft | undefined;
  /** What the chain shows of each draft, in the order of the drafts; at least one draft is given. */
  observe(drafts: readonly Draft[]): Promise<readonly Observation[]>;
  next(draft: Draft, observation: Observation): Promise<Step>;
}

export interface Settler {
  /** One round over every draft of the lifetime. Rejects when the chain or the store does not answer. */
  settle(): Promise<{
    readonly waiting: number;
    /** Milliseconds until the first of them is looked at again, unless something happens before. */
    readonly pause: number;
  }>;
}

export interface SettlerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  /** Drafts that the read model cannot show at the moment. */
  readonly unseen: () => readonly string[];
  readonly report: (message: string, details: object) => void;
  readonly inTrace: InTrace;
  readonly slotTime: SlotTime;
  /** Milliseconds between two looks at a draft that may change at any moment. */
  readonly pause: number;
}

export function createSettler<Draft extends FollowedDraft, Observation>(
  lifetime: FollowedLifetime<Draft, Observation>,
  options: SettlerOptions,
): Settler {
  const { executor, readModel, chain, clock, unseen, report, inTrace, slotTime, pause } = options;
  const lastSent = new Map<string, { readonly transaction: string; readonly at: number }>();
  const forkObservations = new Map<string, number>();
  /** Drafts that need no look before some time, as long as they have this status. */
  const resting = new Map<string, { readonly status: DraftStatus; readonly until: number }>();

  /** Records only while the draft is still in the judged state; a newer state is judged anew. */
  async function record({ transactionId, cause, state: judged }: Draft, event: DraftEvent): Promise<void> {
    await executor.execute(draft, transactionId, cause, (state) =>
      state.status === judged.status && state.accepted?.signature === judged.accepted?.signature
        ? [event]
        : [],
    );
  }

  async function send({ transactionId }: Draft, transaction: string): Promise<void> {
    const now = clock.now().getTime();
    const last = lastSent.get(transactionId);
    if (last?.transaction === transaction && now - last.at < RESEND_PAUSE) return;
    lastSent.set(transactionId, { transaction, at: now });
    await chain.send(Buffer.from(transaction, 'base64'));
  }

  async function advance(followed: Draft, observation: Observation): Promise<void> {
    const { transactionId } = followed;
    const observedBefore = forkObservations.get(transactionId) ?? 0;
    // Only observations in a row count: any other step, even one that throws, resets the count.
    forkObservations.delete(transactionId);
    const step = await lifetime.next(followed, observation);
    const status = statusToWaitIn(followed, step);
    if (status !== undefined) resting.set(transactionId, { status, until: clock.now().getTime() + rest() });
    switch (step.kind) {
      case 'wait':
        return;
      case 'send':
        return send(followed, step.transaction);
      case 'record':
        return record(followed, step.event);
      case 'gone': {
        const observed = observedBefore + 1;
        forkObservations.set(transactionId, observed);
        if (observed >= OBSERVATIONS_OF_A_FORK) await record(followed, SubmissionDropped({ transactionId }));
      }
    }
  }

  function rest(): number {
    const slot = slotTime.latest();
    return slot === undefined
      ? UNMEASURED_REST
      : Math.min(Math.max(SLOTS_BETWEEN_LOOKS * slot, pause), LONGEST_REST);
  }

  function isResting({
    transactionId,
    status,
  }: Pick<TransactionDocument, 'transactionId' | 'status'>): boolean {
    const rested = resting.get(transactionId);
    return rested !== undefined && rested.status === status && clock.now().getTime() < rested.until;
  }

  async function livingDrafts(): Promise<{ readonly living: number; readonly due: readonly Draft[] }> {
    const documents = await readModel.find(transactions, 'work', lifetime.work, { limit: DRAFTS_PER_ROUND });
    const ids = new Set([...documents.map(({ transactionId }) => transactionId), ...unseen()]);
    forgetOthers(ids);
    for (const document of documents) if (isResting(document)) ids.delete(document.transactionId);
    const loaded = await Promise.all(
      [...ids].map((transactionId) => unlessUndecodable(followDraft(executor, lifetime.part, transactionId))),
    );
    const due = loaded.flatMap((followed) => (followed && lifetime.select(followed)) ?? []);
    return { living: due.length + resting.size, due };
  }

  /** The shortest time in which a draft has to be looked at again. */
  function pauseOf(due: readonly Draft[]): number {
    const now = clock.now().getTime();
    if (due.some(({ transactionId }) => !resting.has(transactionId))) return pause;
    const untils = [...resting.values()].map(({ until }) => until - now);
    return Math.max(pause, Math.min(...untils, LONGEST_REST));
  }

  function forgetOthers(present: ReadonlySet<string>): void {
    for (const memory of [lastSent, forkObservations, resting]) {
      for (const transactionId of memory.keys())
        if (!present.has(transactionId)) memory.delete(transactionId);
    }
  }

  return {
    async settle() {
      const { living, due: drafts } = await livingDrafts();
      if (drafts.length === 0) return { waiting: living, pause: pauseOf(drafts) };
      for (const { transactionId } of drafts) resting.delete(transactionId);
      const observations = await lifetime.observe(drafts);
      // One draft's failure does not stop the others; the round fails only when all fail.
      const results = await Promise.allSettled(
        drafts.map((followed, index) =>
          inTrace(followed.cause.traceparent, async () => {
            const observation = observations[index];
            if (observation !== undefined) await unlessUndecodable(advance(followed, observation));
          }),
        ),
      );
      requireSomeSuccess(results, drafts, report);
      return { waiting: living, pause: pauseOf(drafts) };
    },
  };
}

/** In which the draft is when only time changes it; undefined if it may change at any moment. */
function statusToWaitIn({ state }: FollowedDraft, step: Step): DraftStatus | undefined {
  if (step.kind === 'record') return step.event.type === 'SubmissionConfirmed' ? 'confirmed' : undefined;
  return step.kind === 'wait' && state.status !== 'submitted' ? state.status : undefined;
}
