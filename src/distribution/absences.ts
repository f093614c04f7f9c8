/**
 * Confirms negative responses of a node: a missing account, an owner who cannot be paid, a refused recipient. A node may err
 * once, so a response counts only after it was repeated at later slots for some time. Pure, except for the map that is passed in.
 */
import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';

/** Minimum number of equal responses, and the milliseconds they must span. */
interface ConfirmationRule {
  readonly reads: number;
  readonly over: number;
}

/**
 * Number of responses without the account, each at a later slot, after which the account counts as missing. A node
 * that omits accounts at random rarely repeats the omission this often.
 */
const READS_UNTIL_GONE = 20;
/**
 * Minimum milliseconds between the first and the last of these responses: longer than a node needs after a restart
 * of its cache.
 */
const GONE_AFTER = 10_000;
/**
 * For consequences that cannot be undone: a halt ends only by an operator, and a share divided among other holders
 * is lost.
 */
const FINAL: ConfirmationRule = { reads: READS_UNTIL_GONE, over: GONE_AFTER };
/** For payments that are only postponed: the amount stays owed, and the next run retries. */
export const RETRYABLE: ConfirmationRule = { reads: 3, over: 1_000 };

interface Absence {
  readonly reads: number;
  /** Slot of the latest counted response. */
  readonly slot: bigint;
  /** Time of the first response, in milliseconds. */
  readonly since: number;
  /** Negative result that all counted responses agree on; undefined if the account was missing. */
  readonly verdict?: string;
}

interface Reading {
  readonly slot: bigint;
  /** Time in milliseconds. */
  readonly at: number;
  readonly verdict?: string;
}

/** `before`: count of the same response so far. A different response restarts the count. */
function decideAbsence(
  before: Absence | undefined,
  { slot, at, verdict }: Reading,
  { reads, over }: ConfirmationRule = FINAL,
) {
  const named = verdict === undefined ? {} : { verdict };
  // Restart if the clock was set back, because the measured time would be wrong.
  if (before === undefined || before.verdict !== verdict || at < before.since)
    return { isGone: false, absence: { reads: 1, slot, since: at, ...named } };
  // A repeated slot may come from a cache, so it does not count.
  if (slot <= before.slot) return { isGone: false, absence: before };
  const absence = { reads: before.reads + 1, slot, since: before.since, ...named };
  return { isGone: absence.reads >= reads && at - absence.since >= over, absence };
}

/** Unconfirmed responses by name. Losing an entry only costs time. */
export type Absences = Map<string, Absence>;

/** Sum of counted responses over all names. */
export function countReads(absences: Absences): number {
  return [...absences.values()].reduce((sum, { reads }) => sum + reads, 0);
}

/** Counts a response (without a verdict: a missing account); true once it is confirmed. */
export function isConfirmed(
  absences: Absences,
  name: string,
  look: Reading,
  standard?: ConfirmationRule,
): boolean {
  const { isGone: found, absence } = decideAbsence(absences.get(name), look, standard);
  absences.set(name, absence);
  return found;
}

/** Describes a node's failure to respond; rethrows any other error. */
export function failureOfNode(error: unknown): string {
  if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  return `does not respond (${error.message})`;
}
