/**
 * Decides when something that the chain must show, and that a node does not show, is gone. A node may leave out an account of
 * an answer that is right otherwise; a halt takes an operator to end. So one look decides nothing: it takes many, each at a
 * later slot, over some seconds. Pure, but for the memory that it is given.
 */

/** Finalized slots at which it was missing, one after another. A node that hides every second account hides none so often. */
export const LOOKS_UNTIL_GONE = 20;
/** Milliseconds from the first of these looks to the last: longer than a node takes to be itself again after a restart of its cache. */
export const GONE_AFTER = 10_000;

export interface Absence {
  readonly looks: number;
  /** Slot of the latest look that counts. */
  readonly slot: bigint;
  /** When it was missing first; milliseconds. */
  readonly since: number;
}

interface Look {
  readonly slot: bigint;
  /** Milliseconds. */
  readonly at: number;
}

export interface AbsenceDecision {
  readonly isGone: boolean;
  readonly absence: Absence;
}

/** `before`: what is known of looks that did not show it either, with none in between that did. */
export function decideAbsence(before: Absence | undefined, { slot, at }: Look): AbsenceDecision {
  // A clock that was set back would make it seem gone for good, or never.
  if (before === undefined || at < before.since)
    return { isGone: false, absence: { looks: 1, slot, since: at } };
  // The same slot again is the same picture, perhaps from a cache.
  if (slot <= before.slot) return { isGone: false, absence: before };
  const absence = { looks: before.looks + 1, slot, since: before.since };
  return { isGone: absence.looks >= LOOKS_UNTIL_GONE && at - absence.since >= GONE_AFTER, absence };
}

/** What seems absent, by a name. Forgetting it costs time. */
export type Absences = Map<string, Absence>;

/** Notes a look that did not show it; true once it is gone. */
export function isGone(absences: Absences, name: string, look: Look): boolean {
  const { isGone: found, absence } = decideAbsence(absences.get(name), look);
  absences.set(name, absence);
  return found;
}
