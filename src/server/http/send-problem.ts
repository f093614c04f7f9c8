/** Responds to refused requests with a problem: those that Fastify routes, and input that never becomes a request. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import './response-log.ts';
import './docs/docs-page.ts';
import { endSoon, refusalOf } from './connections.ts';
import { PROBLEM_CONTENT_TYPE, problemOf, rejectionOf } from './problems.ts';
import { unchanged } from './send-result.ts';

/** Responds with the problem of an error; an unexpected error is logged and becomes `INTERNAL_ERROR`. */
export function sendProblem(reply: FastifyReply, request: FastifyRequest, error: unknown): FastifyReply {
  const known = rejectionOf(error);
  if (known === undefined) request.log.error({ err: error }, 'unexpected error');
  const refused =
    known ?? rejection('INTERNAL_ERROR', 'Unexpected error. It has been logged under this requestId.');
  if (refused.retryAfterSeconds !== undefined) reply.header('retry-after', String(refused.retryAfterSeconds));
  const problem = problemOf(refused, request);
  reply.problemCode = problem.code;
  // These headers are already set if the first bytes of a file turn out to be damaged.
  for (const name of ['accept-ranges', 'content-range', 'etag']) reply.removeHeader(name);
  // Fastify's own refusals skip the hooks that set these headers.
  return reply
    .headers({ 'x-request-id': problem.requestId, ...SECURITY_HEADERS })
    .status(problem.status)
    .type(PROBLEM_CONTENT_TYPE)
    .serializer(unchanged)
    .send(JSON.stringify({ ...problem, type: `${reply.server.publicPath}${problem.type}` }));
}

/**
 * Responds to an incomplete HTTP request, and closes the connection; without a response if no byte of a request was
 * received.
 */
export function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Socket,
  answered: () => void,
): void {
  const refused = error.code === 'ECONNRESET' || !socket.writable ? undefined : refusalOf(error, socket);
  if (refused === undefined) {
    socket.destroy();
    return;
  }
  answered();
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
  endSoon(
    socket,
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`,
  );
}

/** Security headers of every response. They are set by hand: with helmet, the service handles half as many requests. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
} as const;
