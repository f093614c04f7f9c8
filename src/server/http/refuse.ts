/** Answers refused requests with a problem: those that Fastify routes, and those that never become a request. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';
import './answer-log.ts';
import './docs/docs-page.ts';
import { endSoon } from './connections.ts';
import { PROBLEM_CONTENT_TYPE, type Problem, problemOf, problemTypeOf, rejectionOf } from './problems.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { asIs } from './send-answer.ts';

/** Answers with the problem that an error becomes; one that is not known is logged and becomes `INTERNAL_ERROR`. */
export function refuse(reply: FastifyReply, request: FastifyRequest, error: unknown): FastifyReply {
  const refused = rejectionOf(error);
  if (refused === undefined) {
    request.log.error({ err: error }, 'unexpected error');
    return sendProblem(reply, {
      ...problemOf(
        rejection('STORE_UNAVAILABLE', 'Unexpected error. It has been logged under this requestId.'),
        request,
      ),
      type: problemTypeOf('INTERNAL_ERROR'),
      title: 'Internal error',
      status: 500,
      code: 'INTERNAL_ERROR',
    });
  }
  if (refused.retryAfterSeconds !== undefined) reply.header('retry-after', String(refused.retryAfterSeconds));
  return sendProblem(reply, problemOf(refused, request));
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.problemCode = problem.code;
  // Fastify's own refusals have not passed the hooks.
  return reply
    .headers({ 'x-request-id': problem.requestId, ...SECURITY_HEADERS })
    .status(problem.status)
    .type(PROBLEM_CONTENT_TYPE)
    .serializer(asIs)
    .send(JSON.stringify({ ...problem, type: `${reply.server.publicPath}${problem.type}` }));
}

/** Answers what is no complete HTTP request: headers too large, not HTTP, or too slow. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refused: Rejection =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? rejection('VALIDATION_FAILED', 'The request did not arrive in time.')
      : rejection('VALIDATION_FAILED', 'The request cannot be read.');
  const problem = problemOf(refused, { url: '', id: randomUUID() });
  const body = JSON.stringify(problem);
  const headers = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': problem.requestId,
    ...SECURITY_HEADERS,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endSoon(socket, `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
