/** Finds the outcome that publishes an event, by the event's type. */
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { outcomes } from './index.ts';

const byType = new Map(outcomes.map((outcome) => [outcome.of, outcome]));

/** Undefined for events that are not published. */
export function outcomeOfType(type: string): AnyOutcome | undefined {
  return byType.get(type);
}
