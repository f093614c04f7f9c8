/** `defineProjection` with all of this service's events. */
import { projectionsOf } from '../kernel/runtime/define-projection.ts';
import type { LevyEvent } from '../streams/index.ts';

export const defineProjection = projectionsOf<LevyEvent>();
