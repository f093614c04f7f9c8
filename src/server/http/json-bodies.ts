/** Reads bodies as JSON, and no other media type. A member that is named twice is refused, since readers differ in which one counts. */
import type { FastifyInstance } from 'fastify';
import { namedTwice, repeatedMember } from './repeated-member.ts';

/** Stands for a body that is `null`: to its checks, Fastify gives null where there is no body. */
export const JSON_NULL = Symbol('null');

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
    if (text === '') return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      const repeated = error === null ? repeatedMember(text) : undefined;
      if (repeated === undefined) done(error, value === null ? JSON_NULL : value);
      else done(namedTwice(repeated));
    });
  });
}
