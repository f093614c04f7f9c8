/**
 * Appends the events of the log to its transparency log, in the order in which it first sees them, and signs checkpoints.
 *
 * It compares the whole log with its record before it signs anything, and stops for good when they differ. What was
 * claimed and not signed is made again from the log, which gives the same tree. `nextAction` decides what is done; this is
 * the loop that does it.
 */
import type { LogSigner } from 'levy-transparency-log';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { LeaseTerm } from '../../kernel/ports/lease.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import { createCosigners } from './cosigners.ts';
import type { LogFiles } from './log-files.ts';
import { nextAction } from './notary-action.ts';
import { createEffects, PAUSE_AFTER_FAILURE } from './notary-effects.ts';
import { createOutcome } from './notary-outcome.ts';
import type { NotaryStatus } from './notary-status.ts';
import { newWork, stateOf } from './notary-work.ts';
import type { Witness } from './witness.ts';

interface NotaryOptions {
  readonly store: EventStore;
  readonly files: LogFiles;
  readonly claims: CheckpointClaims;
  readonly signer: LogSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether another process may go on after trouble with another notary. */
  readonly isShared: boolean;
}

export interface Notary {
  status(): NotaryStatus;
  stop(): Promise<void>;
  /** Resolves when another notary has come first: another term begins with a fresh look. */
  readonly ended: Promise<void>;
}

export function startNotary(options: NotaryOptions, term: Pick<LeaseTerm, 'isHeld'>): Notary {
  const { files, clock, logger, isShared } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const now = () => clock.now().toISOString();
  const work = newWork();
  const cosigners = createCosigners(options.witnesses, logger);
  const outcome = createOutcome({ logger, isShared, now, stopping });
  const { effects, followed } = createEffects(work, { ...options, cosigners, outcome, now, stopping });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await effects[nextAction(stateOf(work, term.isHeld))]();
      } catch (problem) {
        if (signal.aborted) return;
        work.round = undefined;
        work.isRested = false;
        outcome.problemFound(problem);
        await sleep(PAUSE_AFTER_FAILURE, signal);
      }
    }
  }

  const running = run();
  return {
    ended: outcome.ended,
    status: () => ({
      state: outcome.trouble() !== undefined ? 'stopped' : work.log === 'compared' ? 'signing' : 'comparing',
      origin: files.origin,
      size: work.tree.size(),
      compared: work.order?.compared() ?? 0,
      published: work.published,
      unpublishedSince: work.unpublishedSince,
      error: outcome.error(),
      trouble: outcome.trouble(),
      witnesses: cosigners.status(),
    }),
    async stop() {
      stopping.abort();
      await running;
      await followed();
    },
  };
}
