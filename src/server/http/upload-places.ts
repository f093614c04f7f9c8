/**
 * Admits uploads and gives them their turns. An upload is in memory from its first byte to its answer, so a bounded number is
 * admitted; what is done with them is done one at a time, in turns between networks, and not at all for callers who left.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFairQueue } from '../../kernel/runtime/fair-queue.ts';
import { createPlaces } from '../../kernel/runtime/places.ts';
import { rejection } from '../../streams/rejections.ts';
import { sourcesOf } from './rate-limit/caller-keys.ts';

/** Each is at most a megabyte, and the last waits for half a minute if all of them are as costly as an image can be. */
const MAXIMUM = 32;
const PER_SOURCE = 8;
/** Seconds. */
const RETRY_AFTER = 5;

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface UploadPlaces {
  /** Throws `SERVICE_BUSY`, or `RATE_LIMITED` where one source has too many uploads under way. */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
  ): { readonly inTurn: InTurn; readonly leave: () => void };
  /** Uploads whose turn has not come. */
  readonly waiting: number;
}

export function createUploadPlaces(): UploadPlaces {
  const turns = createFairQueue();
  const places = createPlaces({
    maximum: MAXIMUM,
    perSource: PER_SOURCE,
    full: () => busy('As many uploads as the service takes are under way; try again.'),
    tooMany: (most) =>
      rejection('RATE_LIMITED', `At most ${most} uploads from one network can be under way; try again.`, {
        retryAfterSeconds: RETRY_AFTER,
      }),
  });
  return {
    get waiting() {
      return turns.waiting;
    },
    admit(request, reply) {
      const sources = sourcesOf(request);
      const leave = places.take(sources);
      const widest = sources.at(-1)?.name ?? '';
      const left = new AbortController();
      const abort = () => left.abort(busy('The caller left before its turn.'));
      if (reply.raw.closed) abort();
      else reply.raw.once('close', abort);
      return { inTurn: (work) => turns.run(widest, work, left.signal), leave };
    },
  };
}

function busy(detail: string) {
  return rejection('SERVICE_BUSY', detail, { retryAfterSeconds: RETRY_AFTER });
}
