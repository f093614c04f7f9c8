/** Says of every answer, in the log and to whoever measures, what was asked, by whom, and what came of it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import './request-spans.ts';
import { patternOf, rememberPatterns } from './route-pattern.ts';

/** Called for every request, so it must cost next to nothing. Must not throw. */
export interface AnswerObserver {
  answered(answer: {
    readonly method: string;
    /** The pattern of the route; undefined where there is none. */
    readonly route: string | undefined;
    readonly status: number;
    /** Until the end of the answer; undefined where it goes on for as long as the caller likes. */
    readonly milliseconds: number | undefined;
  }): void;
  /** With the code of the problem. */
  refused(code: string): void;
  /** By the rate-limit policy of that name. */
  limited(policy: string): void;
  /** What arrived was so broken that no request came of it. */
  unreadable(): void;
}

/** What web servers log where the caller had gone before there was an answer. */
const CALLER_GONE = 499;

const TELLS_ANSWERS = new Set(['info', 'debug', 'trace']);

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the problem that is the answer; undefined where it is none. */
    problemCode: string | undefined;
    /** The rate-limit policy that refused the call. */
    limitedBy: string | undefined;
  }
}

export function logAnswers(server: FastifyInstance, observer: AnswerObserver): void {
  rememberPatterns(server);
  server.decorateReply('problemCode', undefined);
  server.decorateReply('limitedBy', undefined);
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply, observer);
    done();
  });
}

/** To be called when the answer has ended. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply, observer: AnswerObserver): void {
  const answered = {
    method: request.method,
    route: patternOf(request),
    status: reply.raw.headersSent ? reply.statusCode : CALLER_GONE,
    milliseconds: isStream(reply) ? undefined : reply.elapsedTime,
  };
  const { problemCode: code, limitedBy: limit } = reply;
  observer.answered(answered);
  if (code !== undefined) observer.refused(code);
  if (limit !== undefined) observer.limited(limit);
  const { log } = request.server;
  if (!TELLS_ANSWERS.has(log.level)) return;
  log.info(
    {
      requestId: request.id,
      correlationId: request.id,
      actor: actorKindOf(request),
      ...answered,
      ...(code === undefined ? {} : { code }),
      ...(limit === undefined ? {} : { limit }),
      ...(request.span === undefined ? {} : { traceId: request.span.traceId }),
      milliseconds: Math.round(reply.elapsedTime),
    },
    'answered',
  );
}

function isStream(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type') ?? reply.raw.getHeader('content-type');
  return typeof type === 'string' && type.startsWith('text/event-stream');
}

/** Who it was is in the events, where there are any: logs are read by more people. */
function actorKindOf({ caller }: FastifyRequest): 'anonymous' | 'wallet' | 'operator' {
  if (caller === undefined) return 'anonymous';
  return caller.wallet === undefined ? 'operator' : 'wallet';
}
