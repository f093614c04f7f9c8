/** The engine's status for operators, from what it remembers. */
import type { EngineParts } from './engine-parts.ts';
import type { DistributionOverview, DistributionProgress, RunOpening, WitnessState } from './services.ts';
import type { Scheduled, Timetable } from './timetable.ts';
import { hangingStep } from './waiting/seen.ts';

const MOST_OPENING = 100;

export function progressOf(
  timetable: Timetable,
  { clock, suitability }: Pick<EngineParts, 'clock' | 'suitability'>,
  witness: () => WitnessState | undefined,
): DistributionProgress {
  const progressOfEntry = (entry: Scheduled) =>
    (entry.isBusy ? hangingStep(entry, clock.now()) : undefined) ?? entry.progress;
  return {
    of(tokenId) {
      const entry = timetable.get(tokenId);
      return entry && progressOfEntry(entry);
    },
    opening() {
      const opening: RunOpening[] = [];
      for (const entry of timetable.all()) {
        const progress = progressOfEntry(entry);
        if (progress?.step !== 'consider') continue;
        opening.push({ tokenId: entry.tokenId, since: progress.since, waitingFor: progress.waitingFor });
      }
      return opening.sort((one, other) => (one.since < other.since ? -1 : 1)).slice(0, MOST_OPENING);
    },
    overview: () => ({
      oldestDue: oldestDue(timetable, clock.now().getTime()),
      unsettled: unsettled(timetable),
      chainUnsuitable: suitability.unsuitable(),
      witness: witness(),
    }),
  };
}

function oldestDue(timetable: Timetable, now: number): DistributionOverview['oldestDue'] {
  let oldest: { readonly tokenId: string; readonly due: number } | undefined;
  for (const { tokenId, due, wakeAt } of timetable.all())
    if (due !== undefined && due <= now && wakeAt <= now && due < (oldest?.due ?? Number.POSITIVE_INFINITY))
      oldest = { tokenId, due };
  return oldest && { tokenId: oldest.tokenId, dueAt: new Date(oldest.due).toISOString() };
}

function unsettled(timetable: Timetable): DistributionOverview['unsettled'] {
  let batches = 0;
  let since: string | undefined;
  for (const { memory, progress } of timetable.all()) {
    const underWay = memory?.paying?.signed.size ?? 0;
    batches += underWay;
    if (underWay > 0 && progress !== undefined && (since === undefined || progress.since < since))
      since = progress.since;
  }
  return { batches, since };
}
