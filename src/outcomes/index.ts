/** The registry of outcomes. */
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { streams } from '../streams/index.ts';
import { outcomes } from './outcomes.ts';

export { outcomes };

const byType = new Map(outcomes.map((outcome) => [outcome.of, outcome]));

/** Undefined for events that are not published. */
export function outcomeOfType(type: string): AnyOutcome | undefined {
  return byType.get(type);
}

/** Unpublished event types and why, from their streams. A test refuses a type that is neither here nor published. */
export const internalEvents: { readonly [type: string]: string } = Object.assign(
  {},
  ...streams.map(({ internal }) => internal),
);
