/** Answers that go on: takes their connections over from the framework, and bounds how many there are. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StreamAnswer, StreamSink } from '../runtime/stream-answer.ts';
import { rejection } from '../streams/rejections.ts';
import { ipKey } from './rate-limit/caller-keys.ts';

/** Seconds. Places become free when somebody leaves, which nobody can foresee. */
const RETRY_AFTER = 30;

export interface StreamLimits {
  /** Open at a time. */
  readonly maximum: number;
  /** Of them, from one address: an IPv4 address, or an IPv6 network of 64 bits. */
  readonly perAddress: number;
}

export interface Streams {
  /** Throws `STREAMS_EXHAUSTED`, or `RATE_LIMITED` where one address has too many. */
  open(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer): FastifyReply;
}

export function createStreams({ maximum, perAddress }: StreamLimits): Streams {
  const openFrom = new Map<string, number>();
  let open = 0;

  function take(address: string): () => void {
    const own = openFrom.get(address) ?? 0;
    if (own >= perAddress) {
      throw rejection('RATE_LIMITED', `Only ${perAddress} streams may be open from one address at a time.`, {
        retryAfterSeconds: RETRY_AFTER,
      });
    }
    if (open >= maximum) {
      throw rejection('STREAMS_EXHAUSTED', 'As many streams are open as can be; try again later.', {
        retryAfterSeconds: RETRY_AFTER,
      });
    }
    open += 1;
    openFrom.set(address, own + 1);
    return () => {
      open -= 1;
      const left = (openFrom.get(address) ?? 1) - 1;
      if (left === 0) openFrom.delete(address);
      else openFrom.set(address, left);
    };
  }

  return {
    open(request, reply, answer) {
      const release = take(ipKey(request.ip));
      reply.headers({
        'content-type': answer.mediaType,
        'cache-control': 'no-store',
        // Proxies that collect an answer before they pass it on would never pass on this one.
        'x-accel-buffering': 'no',
      });
      // What a GET would say, without the stream.
      if (request.method === 'HEAD') {
        release();
        return reply.send();
      }
      reply.hijack();
      const { raw } = reply;
      whenClosed(raw, release);
      // Without chunks, all connections are sent the same bytes as they are; the end of the connection ends the answer.
      raw.useChunkedEncodingByDefault = false;
      // What the hooks have set; the framework does not send it any more.
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
  let written = 0;
  const hasEnded = () => response.destroyed || response.writableEnded;
  // Whoever goes away while we write is no fault of ours: 'close' follows, and says enough.
  response.on('error', () => undefined);
  return {
    get waiting() {
      return response.writableLength;
    },
    get taken() {
      return written - response.writableLength;
    },
    write(bytes) {
      if (hasEnded()) return;
      written += bytes.length;
      response.write(bytes);
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

/** Also when it has been closed already: callers may go while their answer is being prepared. */
function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
