/** Which events have an outcome: the feed and the bus both deliver exactly these. */
import { internalEvents, outcomes } from '../../outcomes/index.ts';

/** Whether an event of this type may have an outcome: also of a type that this release does not know. */
export function mayHaveOutcome(type: string): boolean {
  return !Object.hasOwn(internalEvents, type);
}

/** The categories of streams whose events have outcomes, by the category of each event type. */
export function outcomeCategories(categoryOfType: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(outcomes.flatMap(({ of }) => categoryOfType.get(of) ?? []))];
}
