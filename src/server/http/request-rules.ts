/** What holds for every request and every answer, whatever the route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { requireOneHost, requireShortHead } from './connections.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const LONG_TEXT = 16 * 1024;
const MAY_HAVE_BODY = new Set(['POST', 'PUT', 'PATCH']);

export function guardRequests(server: FastifyInstance, isClosing: () => boolean): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    requireShortHead(request.raw);
    requireOneHost(request.raw);
    requirePlainBody(request, reply);
    if (isClosing()) {
      throw rejection('STORE_UNAVAILABLE', 'The service is shutting down; try again.', {
        retryAfterSeconds: 5,
      });
    }
    done();
  });
}

export function adaptAnswers(server: FastifyInstance, isClosing: () => boolean): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    // Clients could hold up a stop for ever with connections that are kept alive.
    if (isClosing()) reply.header('connection', 'close');
    // Node would keep two or three copies of a long text that its client does not read.
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that would have to be unpacked: a small one could become a huge one. */
function requirePlainBody(request: FastifyRequest, reply: FastifyReply): void {
  const coding = MAY_HAVE_BODY.has(request.method) ? request.headers['content-encoding'] : undefined;
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw rejection('UNSUPPORTED_MEDIA_TYPE', 'A body is accepted only without a Content-Encoding.');
}
