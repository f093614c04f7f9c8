/** `defineProjection` with all of this service's events. */
import { projectionsOf } from '../runtime/define-projection.ts';
import type { LevyEvent } from '../streams/index.ts';

export const defineProjection = projectionsOf<LevyEvent>();
