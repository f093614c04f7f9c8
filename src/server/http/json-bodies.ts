/** Parses bodies as JSON, and accepts no other media type. */
import type { FastifyInstance } from 'fastify';

/** Treats an empty body as absent; the route's schema decides whether that is allowed. */
export function readJsonBodies(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    // `curl -d ''` sends a media type without a body.
    if (headers['content-length'] === '0') delete headers['content-type'];
    done();
  });
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') done(null, undefined);
    else parseJson(request, text, done);
  });
}
