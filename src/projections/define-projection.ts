/** `defineProjection` with all of this service's events, and the same for documents that come from files. */
import { filedProjectionsOf, projectionsOf } from '../kernel/runtime/define-projection.ts';
import type { LevyEvent } from '../streams/index.ts';

export const defineProjection = projectionsOf<LevyEvent>();
export const defineFiledProjection = filedProjectionsOf<LevyEvent>();
