/** Does what was decided about drafts: sends, records, and begins searches. Decides nothing by itself. */

import { draft } from '../../streams/draft.ts';
import { type DraftEvent, DraftHistoryFlooded, DraftOutcomeUnknown } from '../../streams/draft-events.ts';
import { decideRecord } from './decide-record.ts';
import type { FollowedDraft, Result } from './followed-draft.ts';
import type { SettlerOptions } from './settler-options.ts';
import { createSideTasks } from './side-tasks.ts';
import type { Step } from './step.ts';

/** Milliseconds before the same bytes are sent again. */
const RESEND_PAUSE = 2_000;

export interface StepEffects {
  /** Waits neither for a send nor for a search. */
  perform(followed: FollowedDraft, step: Exclude<Step, { readonly kind: 'absent' }>): Promise<void>;
  /** What became of the sends that have ended since the last time. */
  sent(): readonly Result[];
  /** When the draft's bytes were first handed to the chain; undefined if they never were. Milliseconds since 1970. */
  sentSince(transactionId: string): number | undefined;
  forgetOthers(present: ReadonlySet<string>): void;
  /** Resolves when what was begun to be sent is sent. */
  stop(): Promise<void>;
}

export function createStepEffects({
  executor,
  chain,
  clock,
  logger,
  inTrace,
  searches,
  concluded,
}: Pick<
  SettlerOptions,
  'executor' | 'chain' | 'clock' | 'logger' | 'inTrace' | 'searches' | 'concluded'
>): StepEffects {
  const sends = createSideTasks();
  const lastSent = new Map<string, { readonly transaction: string; readonly at: number }>();
  const firstSent = new Map<string, number>();

  async function record(
    { transactionId, cause, state: judged }: FollowedDraft,
    event: DraftEvent,
  ): Promise<boolean> {
    const { recorded } = await executor.execute(draft, transactionId, cause, (state) =>
      decideRecord(state, { judged, event }),
    );
    return recorded.length > 0;
  }

  async function send({ transactionId }: FollowedDraft, transaction: string): Promise<void> {
    const now = clock.now().getTime();
    const last = lastSent.get(transactionId);
    if (last?.transaction === transaction && now - last.at < RESEND_PAUSE) return;
    lastSent.set(transactionId, { transaction, at: now });
    await chain.send(Buffer.from(transaction, 'base64'));
    if (!firstSent.has(transactionId)) firstSent.set(transactionId, now);
  }

  function search(
    followed: FollowedDraft,
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
        logger.warn(
          { transactionId, address, listed },
          'the history of a draft is flooded: it is searched slowly',
        );
      },
      async unknown({ code, address, signatures }) {
        const event = DraftOutcomeUnknown({ transactionId, code, address, signatures: [...signatures] });
        if (!(await record(followed, event))) return;
        logger.warn(
          { transactionId, code, address, signatures },
          'the outcome of a draft stays unknown: look it up and conclude it',
        );
      },
    });
  }

  return {
    async perform(followed, step) {
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
    sent: () => sends.results(),
    sentSince: (transactionId) => firstSent.get(transactionId),
    forgetOthers(present) {
      for (const sendings of [lastSent, firstSent])
        for (const transactionId of sendings.keys())
          if (!present.has(transactionId)) sendings.delete(transactionId);
    },
    stop: () => sends.ended(),
  };
}
