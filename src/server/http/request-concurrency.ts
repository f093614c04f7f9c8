/**
 * Limits concurrent requests, including those whose callers have left. This bounds every queue in the service (reads of
 * files and images, waits for a position, serialized calls of one wallet).
 */
import type { FastifyRequest } from 'fastify';
import { createConcurrencyLimit } from '../../kernel/runtime/concurrency-limit.ts';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import { sourcesOf } from './rate-limit/caller-keys.ts';

const MAXIMUM = 2_000;
const PER_SOURCE = 500;
/** Seconds until a refused caller may retry. */
const RETRY_AFTER = 1;

export type RequestConcurrency = ReturnType<typeof createRequestConcurrency>;

export function createRequestConcurrency() {
  const busy = (whose: string) => () =>
    rejection('SERVICE_BUSY', `The limit of concurrent requests ${whose} is reached; try again.`, {
      retryAfterSeconds: RETRY_AFTER,
    });
  const places = createConcurrencyLimit({
    maximum: MAXIMUM,
    perSource: PER_SOURCE,
    full: busy('in all'),
    tooMany: busy('of this network'),
  });
  return {
    /** Throws `SERVICE_BUSY`. Call the returned function when the work ends. */
    take: (request: FastifyRequest, { auth, answersWhenBusy }: Pick<Route, 'auth' | 'answersWhenBusy'>) =>
      answersWhenBusy || auth === 'operator' ? () => undefined : places.take(sourcesOf(request)),
  };
}
