/**
 * Records the effects of landed drafts, each in the stream that it concerns, and reverts them after a fork. Drafts do not wait
 * for each other.
 */
import type { Logger } from '../../kernel/ports/logger.ts';
import type { InTrace } from '../../kernel/ports/tracing.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import type { Work } from '../../projections/transactions.ts';
import { isDue } from '../../streams/purposes/index.ts';
import { behaviourOf } from '../purposes/index.ts';
import type { PurposeParts } from '../purposes/purpose-behaviour.ts';
import { createSideTasks, loadDraft, requireSomeSuccess } from './loaded-draft.ts';
import { workPages } from './work-pages.ts';

interface FulfilmentOptions extends PurposeParts {
  /** Drafts that the read model does not include yet and whose effect is not recorded. */
  readonly unrecorded: () => readonly string[];
  readonly logger: Logger;
  readonly inTrace: InTrace;
}

export function createFulfilment(options: FulfilmentOptions) {
  const { executor, readModel, unrecorded, logger, inTrace } = options;
  const tasks = createSideTasks();

  async function record(transactionId: string): Promise<void> {
    const { state, cause } = await loadDraft(executor, 'settler', transactionId);
    if (!('landed' in state)) return;
    const { status, issued, landed } = state;
    const { creator, subject } = issued;
    if (!isDue(status, subject.kind)) return;
    await inTrace(cause.traceparent, () =>
      behaviourOf(subject.kind).record({ transactionId, creator, subject, landed }, options, cause),
    );
  }

  async function revert(transactionId: string): Promise<void> {
    const { state, cause } = await loadDraft(executor, 'settler', transactionId);
    if (state.status !== 'failed') return;
    const { creator, subject } = state.issued;
    await inTrace(cause.traceparent, () =>
      behaviourOf(subject.kind).revert?.({ transactionId, creator, subject }, options, cause),
    );
  }

  async function begin(
    work: Work,
    fulfil: (transactionId: string) => Promise<void>,
    notShown: readonly string[] = [],
  ): Promise<void> {
    for await (const page of workPages(readModel, work, notShown))
      for (const item of page)
        tasks.start(item, async () => void (await unlessUndecodable(fulfil(item.transactionId))));
  }

  return {
    /** Starts all due recordings and reversals. Rejects if all tasks that ended since the last call have failed. */
    async fulfil() {
      // Drain first, so that results do not accumulate while the read model does not respond.
      const ended = tasks.results();
      await begin('record', record, unrecorded());
      await begin('revert', revert);
      requireSomeSuccess(ended, logger);
    },
    /** Resolves when the started tasks have ended. */
    stop: () => tasks.ended(),
  };
}
