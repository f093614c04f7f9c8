/**
 * Follows recorded drafts until the chain has decided about them: sends what is due and records the outcome. Finds its
 * work in the log alone, so that it continues after any restart. A round looks at all drafts together; it waits neither
 * for sends nor for searches, which go on beside it.
 */

import { type Chain, ChainAnswerInvalid } from '../../ports/chain.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import type { InTrace } from '../../ports/tracing.ts';
import type { Work } from '../../projections/transactions.ts';
import type { Clock } from '../../runtime/clock.ts';
import { unlessUndecodable } from '../../runtime/event-reader.ts';
import type { Executor } from '../../runtime/execute.ts';
import {
  type DraftEvent,
  DraftHistoryFlooded,
  DraftOutcomeUnknown,
  draft,
  SubmissionDropped,
} from '../../streams/draft.ts';
import type { SlotTime } from '../slot-time.ts';
import { decideRecord } from './decide-record.ts';
import { createDraftRests } from './draft-rests.ts';
import { type FollowedDraft, followDraft, type Result, requireSomeSuccess } from './followed-draft.ts';
import type { Searches } from './searches.ts';
import { createSideTasks } from './side-tasks.ts';
import type { Step } from './step.ts';
import { workPages } from './work-pages.ts';

/** Milliseconds before the same bytes are sent again. */
const RESEND_PAUSE = 2_000;
/** A single node that is behind is no fork: a confirmation counts as gone after this many observations in a row. */
const OBSERVATIONS_OF_A_FORK = 5;

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
  /** Pure. */
  nextStep(draft: Draft, observation: Observation): Step;
}

export interface Settler {
  /** One round over every draft of the lifetime. Rejects when the chain or the store does not answer. */
  settle(): Promise<{
    readonly waiting: number;
    /** Milliseconds until the first of them is looked at again, unless something happens before. */
    readonly pause: number;
  }>;
  /** Resolves when what rounds have begun to send is sent. */
  stop(): Promise<void>;
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
  readonly searches: Searches;
  /** A search has recorded something: what follows from it is due. */
  readonly concluded: () => void;
  /** Milliseconds between two looks at a draft that may change at any moment. */
  readonly pause: number;
}

export function createSettler<Draft extends FollowedDraft, Observation>(
  lifetime: FollowedLifetime<Draft, Observation>,
  options: SettlerOptions,
): Settler {
  const { executor, readModel, chain, clock, unseen, report, inTrace, searches } = options;
  const part = `${lifetime.part}/${lifetime.work}`;
  const sends = createSideTasks();
  const rests = createDraftRests(options);
  const lastSent = new Map<string, { readonly transaction: string; readonly at: number }>();
  const forkObservations = new Map<string, number>();

  async function record({ transactionId, cause, state: judged }: Draft, event: DraftEvent): Promise<boolean> {
    const { recorded } = await executor.execute(draft, transactionId, cause, (state) =>
      decideRecord(state, { judged, event }),
    );
    return recorded.length > 0;
  }

  async function send({ transactionId }: Draft, transaction: string): Promise<void> {
    const now = clock.now().getTime();
    const last = lastSent.get(transactionId);
    if (last?.transaction === transaction && now - last.at < RESEND_PAUSE) return;
    lastSent.set(transactionId, { transaction, at: now });
    await chain.send(Buffer.from(transaction, 'base64'));
  }

  function search(followed: Draft, { search: wanted, conclude }: Extract<Step, { kind: 'search' }>): void {
    const { transactionId, cause, state } = followed;
    searches.want(part, {
      transactionId,
      search: wanted,
      conclude: (outcome) =>
        inTrace(cause.traceparent, async () => {
          const conclusion = conclude(outcome);
          if (conclusion.kind === 'record' && (await record(followed, conclusion.event))) options.concluded();
        }),
      async flooded({ address, listed }) {
        if (state.flooded !== undefined) return;
        if (!(await record(followed, DraftHistoryFlooded({ transactionId, address, listed })))) return;
        report('the history of a draft is flooded: it is searched slowly', {
          transactionId,
          address,
          listed,
        });
      },
      async unknown({ code, address, signatures }) {
        if (state.unknown !== undefined) return;
        const event = DraftOutcomeUnknown({ transactionId, code, address, signatures: [...signatures] });
        if (!(await record(followed, event))) return;
        report('the outcome of a draft stays unknown: look it up and conclude it', {
          transactionId,
          code,
          address,
          signatures,
        });
      },
    });
  }

  async function advance(followed: Draft, observation: Observation | undefined): Promise<void> {
    const { transactionId, cause } = followed;
    if (observation === undefined)
      throw new ChainAnswerInvalid('the chain node shows nothing sensible of it');
    const observedBefore = forkObservations.get(transactionId) ?? 0;
    // Only observations in a row count: any other step, even one that throws, resets the count.
    forkObservations.delete(transactionId);
    const step = lifetime.nextStep(followed, observation);
    rests.after(followed, step);
    if (step.kind !== 'search') searches.end(transactionId);
    switch (step.kind) {
      case 'wait':
        return;
      case 'send':
        return sends.start(followed, () =>
          inTrace(cause.traceparent, () => send(followed, step.transaction)),
        );
      case 'record':
        return void (await record(followed, step.event));
      case 'search':
        return search(followed, step);
      case 'gone': {
        const observed = observedBefore + 1;
        forkObservations.set(transactionId, observed);
        if (observed >= OBSERVATIONS_OF_A_FORK) await record(followed, SubmissionDropped({ transactionId }));
      }
    }
  }

  /** An answer that makes no sense concerns a draft, and not those that were asked about in the same call. */
  async function observe(drafts: readonly Draft[]): Promise<readonly (Observation | undefined)[]> {
    try {
      return drafts.length === 0 ? [] : await lifetime.observe(drafts);
    } catch (error) {
      if (!(error instanceof ChainAnswerInvalid) || drafts.length === 1) throw error;
      const half = Math.ceil(drafts.length / 2);
      const halves = [drafts.slice(0, half), drafts.slice(half)];
      const observed = await Promise.allSettled(halves.map(observe));
      if (observed.every(({ status }) => status === 'rejected')) throw error;
      return observed.flatMap((part, index) =>
        part.status === 'fulfilled' ? part.value : (halves[index] ?? []).map(() => undefined),
      );
    }
  }

  async function load(ids: readonly string[]): Promise<readonly Draft[]> {
    const loaded = await Promise.all(
      ids.map((transactionId) => unlessUndecodable(followDraft(executor, lifetime.part, transactionId))),
    );
    return loaded.flatMap((followed) => (followed && lifetime.select(followed)) ?? []);
  }

  function forgetOthers(present: ReadonlySet<string>): void {
    rests.forgetOthers(present);
    searches.keepOnly(part, present);
    for (const memory of [lastSent, forkObservations])
      for (const transactionId of memory.keys())
        if (!present.has(transactionId)) memory.delete(transactionId);
  }

  /** One draft's failure does not stop the others. */
  async function settlePage(ids: readonly string[]): Promise<readonly Result[]> {
    const drafts = await load(ids);
    const observations = await observe(drafts);
    return Promise.all(
      drafts.map((followed, index) =>
        inTrace(followed.cause.traceparent, async (): Promise<Result> => {
          try {
            await unlessUndecodable(advance(followed, observations[index]));
            return { followed };
          } catch (reason) {
            return { followed, reason };
          }
        }),
      ),
    );
  }

  return {
    async settle() {
      const seen = new Set<string>();
      const results: Result[] = [];
      for await (const page of workPages(readModel, lifetime.work, unseen())) {
        for (const { transactionId } of page) seen.add(transactionId);
        results.push(...(await settlePage(rests.due(page))));
      }
      forgetOthers(seen);
      const looked = results.map(({ followed }) => followed.transactionId);
      requireSomeSuccess([...results, ...sends.results()], report);
      return { waiting: looked.length + rests.count(), pause: rests.pauseOf(looked) };
    },
    stop: () => sends.ended(),
  };
}
