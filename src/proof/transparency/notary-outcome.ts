/** Keeps and reports what is wrong with a notary's work. */
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { finalProblem, type NotaryStopped, type NotaryTrouble, troubleOf } from './notary-status.ts';

export interface NotaryOutcome {
  /** Resolves when another notary has come first and this process may take another term. */
  readonly ended: Promise<void>;
  /** Why nothing can be signed at the moment. */
  error(): string | undefined;
  /** Why nothing is signed any more. */
  trouble(): NotaryTrouble | undefined;
  problemFound(problem: unknown): void;
  recovered(): void;
}

interface OutcomeParts {
  readonly logger: Logger;
  readonly isShared: boolean;
  readonly now: () => string;
  readonly stopping: AbortController;
}

/** Tells what is wrong once, and stops everything where no other try may help. */
export function createOutcome({ logger, isShared, now, stopping }: OutcomeParts): NotaryOutcome {
  let error: string | undefined;
  let trouble: NotaryTrouble | undefined;
  let endTerm = () => {};
  const ended = new Promise<void>((resolve) => {
    endTerm = resolve;
  });

  function stopFor(problem: NotaryStopped): void {
    if (trouble !== undefined || stopping.signal.aborted) return;
    trouble = troubleOf(problem, now());
    const { kind, message } = trouble;
    logger.error({ kind, error: message, ...trouble.event }, 'notary stopped: nothing more is signed');
    stopping.abort();
    // Its files and claims are read anew: the other one may have been right.
    if (kind === 'notary' && isShared) endTerm();
  }

  return {
    ended,
    error: () => error,
    trouble: () => trouble,
    problemFound(problem: unknown): void {
      const final = finalProblem(problem);
      if (final !== undefined) {
        stopFor(final);
        return;
      }
      const message = messageOf(problem);
      if (error === undefined) logger.warn({ error: message }, 'notary cannot go on, trying again');
      error = message;
    },
    recovered(): void {
      if (error !== undefined) logger.warn({ after: error }, 'notary recovered');
      error = undefined;
    },
  };
}
