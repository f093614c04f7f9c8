/** Logs every response and reports it to the metrics: the request, its caller and the result. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionObserver } from './connections.ts';
import type { Partner } from './rate-limit/policies.ts';
import './request-spans.ts';

/** Called for every request, so implementations must be cheap. They must not throw. */
export interface ResponseObserver extends Pick<ConnectionObserver, 'unread' | 'watchWaiting'> {
  answered(answer: {
    readonly method: string;
    /** Pattern of the route; undefined if no route matched. */
    readonly route: string | undefined;
    readonly status: number;
    /** Time to the end of the response; undefined for streams, which end when the caller leaves. */
    readonly milliseconds: number | undefined;
    /** The partner's name; undefined for calls without a partner's key. */
    readonly partner: string | undefined;
  }): void;
  /** `code`: the code of the problem. */
  refused(code: string): void;
  /** `policy`: the rate-limit policy that refused the call. */
  limited(policy: string): void;
  /** Called for the response to each call with a partner's key. */
  ofPartner?(
    partner: Partner,
    answer: {
      readonly status: number;
      /** Code of the problem, if any. `limitedBy` is the rate-limit policy that refused the call, if any. */
      readonly code: string | undefined;
      readonly limitedBy: string | undefined;
    },
  ): void;
  /** Called for input that is not a complete HTTP request. */
  unreadable(): void;
}

/** Status that web servers log if the caller left before the response. */
const CLIENT_CLOSED_REQUEST = 499;

const LOGS_RESPONSES = new Set(['info', 'debug', 'trace']);

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the problem in the response, if any. */
    problemCode: string | undefined;
    /** The rate-limit policy that refused the call, if any. */
    limitedBy: string | undefined;
  }
}

export function logResponses(server: FastifyInstance, observer: ResponseObserver): void {
  server.decorateReply('problemCode', undefined);
  server.decorateReply('limitedBy', undefined);
  server.addHook('onResponse', (request, reply, done) => {
    logResponse(request, reply, observer);
    done();
  });
}

/** Call it when the response has ended. */
export function logResponse(request: FastifyRequest, reply: FastifyReply, observer: ResponseObserver): void {
  const answered = {
    method: request.method,
    route: request.routeOptions.url,
    status: reply.raw.headersSent ? reply.statusCode : CLIENT_CLOSED_REQUEST,
    milliseconds: isEventStream(reply.raw) ? undefined : reply.elapsedTime,
    partner: request.partner?.name,
  };
  const { problemCode: code, limitedBy: limit } = reply;
  observer.answered(answered);
  if (code !== undefined) observer.refused(code);
  if (limit !== undefined) observer.limited(limit);
  if (request.partner !== undefined) {
    observer.ofPartner?.(request.partner, { status: answered.status, code, limitedBy: limit });
  }
  const { log } = request.server;
  if (!LOGS_RESPONSES.has(log.level)) return;
  log.info(
    {
      requestId: request.id,
      correlationId: request.id,
      actor: actorOf(request),
      ...answered,
      code,
      limit,
      traceId: request.span?.traceId,
      milliseconds: Math.round(reply.elapsedTime),
    },
    'request answered',
  );
}

/**
 * Operators are logged by name, because events do not record their reads. Wallets are not named: more people read logs
 * than events.
 */
function actorOf({ caller }: FastifyRequest): string {
  if (caller === undefined) return 'anonymous';
  return caller.wallet === undefined ? caller.actor : 'wallet';
}

function isEventStream(response: ServerResponse): boolean {
  const type = response.getHeader('content-type');
  return typeof type === 'string' && type.startsWith('text/event-stream');
}
