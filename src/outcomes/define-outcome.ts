/** `defineOutcome` with all of this service's events. */
import { outcomesOf } from '../kernel/runtime/define-outcome.ts';
import type { LevyEvent } from '../streams/index.ts';

export const defineOutcome = outcomesOf<LevyEvent>();
