/** Registry of outcomes. */
import type { AnyOutcome } from '../kernel/runtime/define-outcome.ts';
import { streams } from '../streams/index.ts';
import { outcomes } from './outcomes.ts';

export { outcomes };

const byType = new Map(outcomes.map((outcome) => [outcome.of, outcome]));

/** Undefined for events that are not published. */
export function outcomeOfType(type: string): AnyOutcome | undefined {
  return byType.get(type);
}

/**
 * Unpublished event types with the reason, from their streams. A test fails for types that are neither listed here nor
 * published.
 */
export const internalEvents: { readonly [type: string]: string } = Object.assign(
  {},
  ...streams.map(({ internal }) => internal),
);
