/** `defineProjection` with all of this service's events, and the same for documents that come from files. */
import { filedProjectionsOf, projectionsOf } from '../kernel/runtime/define-projection.ts';
import type { LevyEvent } from '../streams/index.ts';

/** The key of a token's document. */
export const byToken = (event: { readonly data: { readonly tokenId: string } }): string => event.data.tokenId;

/** The operator's name, of the actor of an event. */
export const operatorName = (actor: string): string => actor.replace(/^operator:/, '');

export const defineProjection = projectionsOf<LevyEvent>();
export const defineFiledProjection = filedProjectionsOf<LevyEvent>();
