/** Rules for every request and every answer of every route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { refusalOfHead } from './connections.ts';
import { isForNoPage } from './cors.ts';
import { SECURITY_HEADERS } from './refuse.ts';

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
    // An answer to one caller, with a key perhaps, is for no cache, unless its route says otherwise.
    const { method, caller, partner } = request;
    const { route } = request.routeOptions.config;
    const isPersonal = MAY_HAVE_BODY.has(method) || caller !== undefined || partner !== undefined;
    if ((route !== undefined && isForNoPage(route)) || (isPersonal && !reply.hasHeader('cache-control'))) {
      reply.header('cache-control', 'no-store');
    }
    // Clients could otherwise prevent a stop with connections that are kept alive.
    if (isClosing()) reply.header('connection', 'close');
    // Node would keep two or three copies of a long text that its client does not read.
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });
}

/**
 * Throws `ROUTE_NOT_FOUND` where the name of a route is written with escapes, as in `/%6fperator/log`: a proxy that closes a path
 * by its letters would let it pass.
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

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that would have to be unpacked: a small one could become a huge one. */
function requirePlainBody(request: FastifyRequest, reply: FastifyReply): void {
  const coding = MAY_HAVE_BODY.has(request.method) ? request.headers['content-encoding'] : undefined;
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw rejection('UNSUPPORTED_MEDIA_TYPE', 'A body is accepted only without a Content-Encoding.');
}
