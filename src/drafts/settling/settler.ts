/**
 * Settles recorded drafts: sends due transactions and records outcomes until the chain has decided. Takes recent work from the
 * log's signals and earlier work from the read model. One round checks all drafts together. Sends and searches run
 * concurrently with it.
 */

import { ChainAnswerInvalid } from '../../kernel/ports/chain.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import { createCheckSchedule } from './check-schedule.ts';
import { type LoadedDraft, loadDraft, type Result, requireSomeSuccess } from './loaded-draft.ts';
import { createStepEffects, type SettlerOptions } from './step-effects.ts';
import { onceRepeated, type Step } from './steps.ts';
import { workPages } from './work-pages.ts';

/** Observation and judgement of drafts. Only reads the chain; the settler alone sends and records. */
export interface FollowedDrafts<Draft extends LoadedDraft, Observation> {
  /** Adds the data for observing the draft; undefined if there is nothing to do. */
  select(draft: LoadedDraft): Draft | undefined;
  /** Chain state of each draft, in the order of the drafts; requires at least one draft. */
  observe(drafts: readonly Draft[]): Promise<readonly Observation[]>;
  /** Pure. `sentSince`: time when this settler first sent the draft's bytes, in milliseconds since the epoch. */
  nextStep(draft: Draft, observation: Observation, sentSince?: number): Step;
}

export function createSettler<Draft extends LoadedDraft, Observation>(
  drafts: FollowedDrafts<Draft, Observation>,
  options: SettlerOptions,
) {
  const { executor, readModel, unseen, logger, inTrace, searches } = options;
  const effects = createStepEffects(options);
  const schedule = createCheckSchedule(options);
  /** Number of consecutive observations that missed the accounts or transactions of each draft. */
  const absences = new Map<string, { readonly type: string; readonly observed: number }>();

  async function advance(followed: Draft, observation: Observation | undefined): Promise<void> {
    const { transactionId } = followed;
    if (observation === undefined)
      throw new ChainAnswerInvalid('the response of the chain node about this draft is invalid');
    const before = absences.get(transactionId);
    // Only consecutive observations count: any other step, even one that throws, resets the count.
    absences.delete(transactionId);
    const step = drafts.nextStep(followed, observation, effects.sentSince(transactionId));
    schedule.after(followed, step);
    if (step.kind !== 'search') searches.end(transactionId);
    if (step.kind !== 'absent') return effects.perform(followed, step);
    const { type } = step.event;
    const observed = before?.type === type ? before.observed + 1 : 1;
    absences.set(transactionId, { type, observed });
    return effects.perform(followed, onceRepeated(step.event, observed));
  }

  /** Splits the group on an invalid response, so that it affects only the draft that it concerns. */
  async function observe(group: readonly Draft[]): Promise<readonly (Observation | undefined)[]> {
    try {
      return group.length === 0 ? [] : await drafts.observe(group);
    } catch (error) {
      if (!(error instanceof ChainAnswerInvalid) || group.length === 1) throw error;
      const half = Math.ceil(group.length / 2);
      const halves = [group.slice(0, half), group.slice(half)];
      const observed = await Promise.allSettled(halves.map(observe));
      if (observed.every(({ status }) => status === 'rejected')) throw error;
      return observed.flatMap((part, index) =>
        part.status === 'fulfilled' ? part.value : (halves[index] ?? []).map(() => undefined),
      );
    }
  }

  async function load(ids: readonly string[]): Promise<readonly Draft[]> {
    const loaded = await Promise.all(
      ids.map((transactionId) => unlessUndecodable(loadDraft(executor, 'settler', transactionId))),
    );
    return loaded.flatMap((followed) => (followed && drafts.select(followed)) ?? []);
  }

  function dropOthers(present: ReadonlySet<string>): void {
    schedule.dropOthers(present);
    searches.retainOnly(present);
    effects.dropOthers(present);
    for (const transactionId of absences.keys())
      if (!present.has(transactionId)) absences.delete(transactionId);
  }

  /** Handles a page of drafts; a failure of one draft does not affect other drafts. */
  async function settlePage(ids: readonly string[]): Promise<readonly Result[]> {
    const loaded = await load(ids);
    const observations = await observe(loaded);
    return Promise.all(
      loaded.map((followed, index) =>
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
    /**
     * Runs one round over all drafts. Returns the milliseconds until the next draft is due, unless a signal arrives earlier.
     * Rejects if the chain or the store does not respond.
     */
    async settle() {
      const seen = new Set<string>();
      const results: Result[] = [];
      // Drain first, so that results do not accumulate while the read model does not respond.
      const sent = effects.sent();
      for await (const page of workPages(readModel, 'settle', unseen())) {
        for (const { transactionId } of page) seen.add(transactionId);
        results.push(...(await settlePage(schedule.due(page))));
      }
      dropOthers(seen);
      const looked = results.map(({ followed }) => followed.transactionId);
      requireSomeSuccess([...results, ...sent], logger);
      return schedule.pauseOf(looked);
    },
    /** Resolves when the sends in progress have ended. */
    stop: effects.stop,
  };
}
