/** Lets a GET that names a position wait until the read models show it (`X-After-Position`). */
import type { FastifyRequest } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';

/** Milliseconds. */
const PATIENCE = 5_000;
const POSITION = /^[\w.:-]{1,64}$/;

/** Waits until the read models show the position; `never` at once for what can be no position of this log. */
export type ReachPosition = (
  position: string,
  milliseconds: number,
) => Promise<'reached' | 'not-yet' | 'never'>;

export async function waitForWrites(
  { headers }: FastifyRequest,
  { limit }: Route,
  reachPosition: ReachPosition,
): Promise<void> {
  const position = headers['x-after-position'];
  // Routes without a limit must not wait either.
  if (position === undefined || limit === 'none') return;
  const reached =
    typeof position === 'string' && POSITION.test(position)
      ? await reachPosition(position, PATIENCE)
      : 'never';
  if (reached === 'reached') return;
  if (reached === 'never') {
    throw rejection(
      'VALIDATION_FAILED',
      'X-After-Position must be the X-Position of an earlier answer of this log; leave it out otherwise.',
    );
  }
  throw rejection('STORE_UNAVAILABLE', 'The read models have not reached this position yet; try again.', {
    retryAfterSeconds: 1,
  });
}
