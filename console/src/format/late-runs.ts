/** Which open runs an operator has to look at. */
import type { ListDistributionsAnswer } from 'levy-client';

/** Milliseconds. A run that waits for less is as it should be: it waits for the chain. */
const LONGEST_WAIT = 120_000;
/** Milliseconds in which something is recorded of a run. */
const LONGEST_SILENCE = 900_000;

/**
 * What a run waits for is known to the process that distributes alone; when something was recorded of it, to all of them. An
 * announced payment waits for its moment.
 */
export function isLate(
  { progress }: Pick<ListDistributionsAnswer['distributions'][number], 'progress'>,
  now: number,
): boolean {
  if (progress === undefined || progress.step === 'announce') return false;
  const { movedAt, waitingFor } = progress;
  if (waitingFor !== null && now - Date.parse(waitingFor.since) > LONGEST_WAIT) return true;
  return now - Date.parse(movedAt) > LONGEST_SILENCE;
}
