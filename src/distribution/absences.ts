/**
 * Confirms answers of a node that take something away: a missing account, an owner who cannot be paid, a refused recipient. One
 * answer decides nothing, because a node may err once; the same answer has to come again, each time at a later slot, over some
 * time. Pure, except for the memory that it is given.
 */
import { ChainAnswerInvalid, ChainUnavailable } from '../kernel/ports/chain.ts';

/** Number of equal answers, and the milliseconds they must span. */
interface Standard {
  readonly looks: number;
  readonly over: number;
}

/** Slots at which something was missing, one after another. A node that hides every second account hides none so often. */
export const LOOKS_UNTIL_GONE = 20;
/** Milliseconds from the first of these looks to the last: longer than a node takes to be itself again after a restart of its cache. */
export const GONE_AFTER = 10_000;
/** For what cannot be made good later: a halt takes an operator to end, and a share that is divided among others is lost. */
const FINAL: Standard = { looks: LOOKS_UNTIL_GONE, over: GONE_AFTER };
/** For what is only put off: an amount stays owed, and the next run tries again. */
export const PUT_OFF: Standard = { looks: 3, over: 1_000 };

export interface Absence {
  readonly looks: number;
  /** Slot of the latest look that counts. */
  readonly slot: bigint;
  /** When it was seen first; milliseconds. */
  readonly since: number;
  /** The answer that was repeated; undefined for an account that is missing. */
  readonly verdict?: string;
}

interface Look {
  readonly slot: bigint;
  /** Milliseconds. */
  readonly at: number;
  readonly verdict?: string;
}

/** `before`: earlier looks that gave the same answer, with no other answer in between. Another answer starts the count again. */
export function decideAbsence(
  before: Absence | undefined,
  { slot, at, verdict }: Look,
  { looks, over }: Standard = FINAL,
) {
  const named = verdict === undefined ? {} : { verdict };
  // A clock that was set back would confirm the absence too early, or never.
  if (before === undefined || before.verdict !== verdict || at < before.since)
    return { isGone: false, absence: { looks: 1, slot, since: at, ...named } };
  // The same slot again is the same picture, perhaps from a cache.
  if (slot <= before.slot) return { isGone: false, absence: before };
  const absence = { looks: before.looks + 1, slot, since: before.since, ...named };
  return { isGone: absence.looks >= looks && at - absence.since >= over, absence };
}

/** Answers that are not confirmed yet, by a name. Forgetting one costs time. */
export type Absences = Map<string, Absence>;

/** Looks that count towards a confirmation, of all names together. */
export function looksIn(absences: Absences): number {
  return [...absences.values()].reduce((sum, { looks }) => sum + looks, 0);
}

/** Records an answer, or with no verdict that an account is missing; true once it is confirmed. */
export function isConfirmed(absences: Absences, name: string, look: Look, standard?: Standard): boolean {
  const { isGone: found, absence } = decideAbsence(absences.get(name), look, standard);
  absences.set(name, absence);
  return found;
}

/** Why a node is silent; throws what is no silence of its. */
export function silenceIn(error: unknown): string {
  if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  return `does not answer (${error.message})`;
}
