/** `defineProjection` and `defineFileProjection` for this service's events. */
import { fileProjectionsOf, projectionsOf } from '../kernel/runtime/define-projection.ts';
import type { LevyEvent } from '../streams/index.ts';

/** Document key of a token's events. */
export const byToken = (event: { readonly data: { readonly tokenId: string } }): string => event.data.tokenId;

/** Operator's name from the actor of an event. */
export const operatorName = (actor: string): string => actor.replace(/^operator:/, '');

export const defineProjection = projectionsOf<LevyEvent>();
export const defineFileProjection = fileProjectionsOf<LevyEvent>();
