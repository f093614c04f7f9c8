/** Finds in the read model which tokens are due when. */

import { type Position, START } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { CollectionNotLive, type ReadModel } from '../kernel/ports/read-model.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { retry } from '../kernel/runtime/retry.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import type { EngineParts } from './engine-parts.ts';
import { REFERENCE_WINDOW } from './selling/price-reference.ts';
import type { Timetable } from './timetable.ts';
import { dueRun } from './timing.ts';

const DOCUMENTS_PER_READ = 500;
const PAUSES_AFTER_FAILURE = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000];

type Grid = Pick<EngineParts, 'clock' | 'keyring'>;

/** A read model that is being built, or away, is waited for. Undefined if stopped before. */
export async function timetableFilled(
  options: Grid & {
    readonly readModel: ReadModel;
    readonly logger: Logger;
  },
  timetable: Timetable,
  signal: AbortSignal,
): Promise<Position | undefined> {
  if (signal.aborted) return undefined;
  const filled = retry(() => fillTimetable(options, timetable), {
    pauses: PAUSES_AFTER_FAILURE,
    signal,
    failed(error, earlier) {
      if (earlier > 0) return;
      const level = error instanceof CollectionNotLive ? 'info' : 'warn';
      options.logger[level]({ error: messageOf(error) }, 'distribution waits for its read model');
    },
  });
  // Nothing but the signal ends the trying.
  return filled.catch(() => undefined);
}

/** Resolves with where the documents stop: behind a projection that lags, the head would hide runs that are open or asked for. */
async function fillTimetable(
  { readModel, ...grid }: Grid & { readonly readModel: ReadModel },
  timetable: Timetable,
): Promise<Position> {
  const after = (await readModel.served(distributions))?.checkpoint ?? START;
  for await (const document of allDocuments(readModel)) {
    const entry = timetable.schedule(document.tokenId, wakeOf(document, grid));
    const due = dueOf(document, grid);
    // Runs that fell due while nobody distributed are late only from now on.
    entry.due = due === undefined ? undefined : Math.max(due, grid.clock.now().getTime());
  }
  return after;
}

async function* allDocuments(readModel: ReadModel): AsyncGenerator<DistributionDocument> {
  for (let after: string | undefined; ; ) {
    const page: readonly DistributionDocument[] = await readModel.find(distributions, 'all', '', {
      limit: DOCUMENTS_PER_READ,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    after = page.at(-1)?.tokenId;
    if (page.length < DOCUMENTS_PER_READ) return;
  }
}

/** When a token is checked first after the start. */
function wakeOf(document: DistributionDocument, grid: Grid): number {
  const now = grid.clock.now().getTime();
  if (document.openRunId !== null || document.requested) return now;
  // From then on the price of its pool is watched.
  return (dueOf(document, grid) ?? Number.MAX_SAFE_INTEGER) - REFERENCE_WINDOW;
}

/** When its next run may be opened; undefined while none will be. */
function dueOf(
  { tokenId, createdAt, interval, lastDueAt, enabled, hidden, state }: DistributionDocument,
  { clock, keyring }: Grid,
): number | undefined {
  if (!enabled || hidden || state === 'halted') return undefined;
  const grid = { tokenId, createdAt, interval, lastDueAt: lastDueAt ?? undefined };
  return dueRun(grid, clock.now().getTime(), keyring.scanMoment).opensAt;
}
