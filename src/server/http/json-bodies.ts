/** Reads bodies as JSON, and no other media type. */
import type { FastifyInstance } from 'fastify';

/** An empty body is no body; the route's schema decides whether that is allowed. */
export function readJsonBodies(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    // `curl -d ''` sends a media type with no body.
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
