/** Executes the steps decided for drafts: sends, records, and starts searches. */

import type { Chain } from '../../kernel/ports/chain.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { InTrace } from '../../kernel/ports/tracing.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { Executor } from '../../kernel/runtime/execute.ts';
import { draft } from '../../streams/draft.ts';
import { type DraftEvent, DraftHistoryFlooded, DraftOutcomeUnknown } from '../../streams/draft-events.ts';
import { acceptedOf, type DraftState, isLiving, isPending } from '../../streams/draft-state.ts';
import type { SlotTime } from '../slot-time.ts';
import { createSideTasks, type LoadedDraft } from './loaded-draft.ts';
import type { Searches } from './searches.ts';
import type { Step } from './steps.ts';

/** Milliseconds before unchanged bytes are sent again. */
const RESEND_PAUSE = 2_000;

export function createStepEffects({
  executor,
  chain,
  clock,
  logger,
  inTrace,
  searches,
  concluded,
}: Pick<SettlerOptions, 'executor' | 'chain' | 'clock' | 'logger' | 'inTrace' | 'searches' | 'concluded'>) {
  const sends = createSideTasks();
  const lastSent = new Map<string, { readonly transaction: string; readonly at: number }>();
  const firstSent = new Map<string, number>();

  async function record(
    { transactionId, cause, state: judged }: LoadedDraft,
    event: DraftEvent,
  ): Promise<boolean> {
    const { recorded } = await executor.execute(draft, transactionId, cause, (state) =>
      decideRecord(state, { judged, event }),
    );
    return recorded.length > 0;
  }

  async function send({ transactionId }: LoadedDraft, transaction: string): Promise<void> {
    const now = clock.now().getTime();
    const last = lastSent.get(transactionId);
    if (last?.transaction === transaction && now - last.at < RESEND_PAUSE) return;
    lastSent.set(transactionId, { transaction, at: now });
    await chain.send(Buffer.from(transaction, 'base64'));
    if (!firstSent.has(transactionId)) firstSent.set(transactionId, now);
  }

  function search(
    followed: LoadedDraft,
    { search: wanted, conclude }: Extract<Step, { kind: 'search' }>,
  ): void {
    const { transactionId, cause } = followed;
    searches.want({
      transactionId,
      search: wanted,
      conclude: (outcome) =>
        inTrace(cause.traceparent, async () => {
          const conclusion = conclude(outcome);
          if (conclusion.kind === 'record' && (await record(followed, conclusion.event))) concluded();
        }),
      async flooded({ address, listed }) {
        if (!(await record(followed, DraftHistoryFlooded({ transactionId, address, listed })))) return;
        logger.warn({ transactionId, address, listed }, 'history of a draft is flooded, searching it slowly');
      },
      async unknown({ code, address, signatures }) {
        const event = DraftOutcomeUnknown({ transactionId, code, address, signatures: [...signatures] });
        if (!(await record(followed, event))) return;
        logger.warn(
          { transactionId, code, address, signatures },
          'outcome of a draft is unknown: check it with another node and conclude it',
        );
      },
    });
  }

  return {
    /** Does not wait for sends or searches. */
    async perform(followed: LoadedDraft, step: Exclude<Step, { readonly kind: 'absent' }>) {
      switch (step.kind) {
        case 'wait':
          return;
        case 'send':
          return sends.start(followed, () =>
            inTrace(followed.cause.traceparent, () => send(followed, step.transaction)),
          );
        case 'record':
          return void (await record(followed, step.event));
        case 'search':
          return search(followed, step);
      }
    },
    /** Results of the sends that ended since the last call. */
    sent: () => sends.results(),
    /** Time of the first send of the draft's bytes, in milliseconds since the epoch; undefined if they were never sent. */
    sentSince: (transactionId: string) => firstSent.get(transactionId),
    dropOthers(present: ReadonlySet<string>) {
      for (const sendings of [lastSent, firstSent])
        for (const transactionId of sendings.keys())
          if (!present.has(transactionId)) sendings.delete(transactionId);
    },
    /** Resolves when the sends in progress have ended. */
    stop: () => sends.ended(),
  };
}

/**
 * Records only if the draft is still in the judged state and the event changes something. A newer state is judged in the next
 * round.
 */
function decideRecord(
  state: DraftState,
  { judged, event }: { readonly judged: DraftState; readonly event: DraftEvent },
): readonly DraftEvent[] {
  const isJudged =
    state.status === judged.status && acceptedOf(state)?.signature === acceptedOf(judged)?.signature;
  return isJudged && !isAlreadySet(state, event) ? [event] : [];
}

/** True if the event would repeat the state; for events that do not change the status. */
function isAlreadySet(state: DraftState, { type }: DraftEvent): boolean {
  switch (type) {
    case 'DraftHistoryFlooded':
      return isLiving(state) && state.flooded !== undefined;
    case 'DraftOutcomeUnknown':
      return isLiving(state) && state.unknown !== undefined;
    case 'SubmissionOverdue':
      return isPending(state) && state.overdue !== undefined;
    default:
      return false;
  }
}

export interface SettlerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly clock: Clock;
  /** Drafts that the log contains and the read model does not include yet. */
  readonly unseen: () => readonly string[];
  readonly logger: Logger;
  readonly inTrace: InTrace;
  readonly slotTime: SlotTime;
  readonly searches: Searches;
  /** Called after a search has recorded an outcome, since further work may be due. */
  readonly concluded: () => void;
  /** Milliseconds between two checks of a draft that may change at any time. */
  readonly pause: number;
}
