/** Serves streaming responses: detaches their connections from Fastify, and limits how many are open. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createConcurrencyLimit } from '../../kernel/runtime/concurrency-limit.ts';
import type { StreamAnswer, StreamSink } from '../../kernel/runtime/define-query.ts';
import { rejection } from '../../streams/rejections.ts';
import { networksOf } from './rate-limit/caller-keys.ts';

/** Seconds until a refused caller may retry. An estimate: it is unknown when a subscriber leaves. */
const RETRY_AFTER = 30;

export interface StreamLimits {
  /** Maximum number of open streams. */
  readonly maximum: number;
  /**
   * Maximum number of open streams per IPv4 address or IPv6 /64; a /56 and a /48 have multiples of it, as in
   * `caller-keys.ts`.
   */
  readonly perAddress: number;
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams({ maximum, perAddress }: StreamLimits) {
  const places = createConcurrencyLimit({
    maximum,
    perSource: perAddress,
    full: () =>
      rejection('STREAMS_EXHAUSTED', 'The limit of open streams is reached; try again later.', {
        retryAfterSeconds: RETRY_AFTER,
      }),
    tooMany: (most) =>
      rejection(
        'RATE_LIMITED',
        `Your network has ${most} open streams, its limit; close one, or try again later.`,
        { retryAfterSeconds: RETRY_AFTER },
      ),
  });

  return {
    /** Throws `RATE_LIMITED` at the limit of a network, and `STREAMS_EXHAUSTED` at the total limit. */
    open(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer): FastifyReply {
      const release = places.take(networksOf(request.ip));
      reply.headers({
        'content-type': answer.mediaType,
        'cache-control': 'no-store',
        // Tells proxies not to buffer the response; a stream would never be passed on.
        'x-accel-buffering': 'no',
      });
      // HEAD gets the headers of a GET, without the stream.
      if (request.method === 'HEAD') {
        release();
        return reply.send();
      }
      reply.hijack();
      const { raw } = reply;
      whenClosed(raw, release);
      // Without chunked encoding, every connection gets the same bytes; closing it ends the response.
      raw.useChunkedEncodingByDefault = false;
      // Fastify no longer sends the headers that the hooks have set.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value);
      }
      raw.flushHeaders();
      answer.open(sinkOf(raw));
      return reply;
    },
  };
}

function sinkOf(response: ServerResponse): StreamSink {
  const hasEnded = () => response.destroyed || response.writableEnded;
  // A caller that leaves during a write is not an error: 'close' follows.
  response.on('error', () => undefined);
  return {
    get waiting() {
      return response.writableLength;
    },
    write(bytes) {
      if (!hasEnded()) response.write(bytes);
    },
    drained() {
      if (hasEnded() || !response.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const settle = () => {
          response.off('drain', settle);
          response.off('close', settle);
          resolve();
        };
        response.on('drain', settle);
        response.on('close', settle);
      });
    },
    end() {
      if (response.writableLength > 0) response.destroy();
      else if (!hasEnded()) response.end();
    },
    cut() {
      response.destroy();
    },
    onEnd: (listener) => whenClosed(response, listener),
  };
}

/** Calls the listener immediately if the response is already closed: callers may leave while it is prepared. */
function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
