/** Rules for every request and response of every route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { refusalOfHead } from './connections.ts';
import { isForNoPage } from './cors.ts';
import { SECURITY_HEADERS } from './send-problem.ts';

const LONG_TEXT = 16 * 1024;
const MAY_HAVE_BODY = new Set(['POST', 'PUT', 'PATCH']);

export function guardRequests(server: FastifyInstance, isClosing: () => boolean): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    const tooLong = refusalOfHead(request.raw);
    if (tooLong !== undefined) throw tooLong;
    requirePlainBody(request, reply);
    requirePlainPath(request);
    if (isClosing()) {
      throw rejection('STORE_UNAVAILABLE', 'The service is shutting down; try again.', {
        retryAfterSeconds: 5,
      });
    }
    done();
  });
}

export function adaptAnswers(server: FastifyInstance, isClosing: () => boolean): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    // A response to one caller may contain secrets, so it is not cached unless its route allows it.
    const { method, caller, partner } = request;
    const { route } = request.routeOptions.config;
    const isPersonal = MAY_HAVE_BODY.has(method) || caller !== undefined || partner !== undefined;
    if ((route !== undefined && isForNoPage(route)) || (isPersonal && !reply.hasHeader('cache-control'))) {
      reply.header('cache-control', 'no-store');
    }
    // Clients with keep-alive connections could otherwise prevent a shutdown.
    if (isClosing()) reply.header('connection', 'close');
    // Node would hold two or three copies of a long text that its client does not read.
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });
}

/**
 * Throws `ROUTE_NOT_FOUND` if the name of a route is percent-encoded, as in `/%6fperator/log`, which would bypass a
 * proxy that blocks a path by its letters.
 */
function requirePlainPath({ method, url, routeOptions }: FastifyRequest): void {
  const path = url.split('?', 1)[0] ?? '';
  if (!path.includes('%') || routeOptions.url === undefined) return;
  const sent = path.split('/');
  const isPlain = (part: string, index: number) =>
    part === '*' || part.startsWith(':') || part === sent[index];
  if (routeOptions.url.split('/').every(isPlain)) return;
  throw rejection('ROUTE_NOT_FOUND', `Route not found: ${method} ${path}.`);
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a compressed body: a small one could expand to a huge one. */
function requirePlainBody(request: FastifyRequest, reply: FastifyReply): void {
  const coding = MAY_HAVE_BODY.has(request.method) ? request.headers['content-encoding'] : undefined;
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw rejection('UNSUPPORTED_MEDIA_TYPE', 'A body is accepted only without a Content-Encoding.');
}
