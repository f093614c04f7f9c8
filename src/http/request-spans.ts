/** One span for each request, in the terms of OpenTelemetry's conventions for HTTP; what its handler does is within it. */
import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '../ports/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where requests are not traced. */
    span: Span | undefined;
  }
}

const METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'QUERY',
]);

export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  server.decorateRequest('span', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const method = METHODS.has(request.method) ? request.method : '_OTHER';
    const route = request.routeOptions.url;
    const { traceparent } = request.headers;
    request.span = tracing.begin(
      route === undefined ? method : `${method} ${route}`,
      typeof traceparent === 'string' ? traceparent : undefined,
      {
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'url.scheme': request.protocol,
          // Without the query: what is asked for there is the caller's business.
          'url.path': request.url.split('?', 1)[0] ?? '',
          ...(route === undefined ? {} : { 'http.route': route }),
          'levy.request_id': request.id,
        },
      },
    );
    done();
  });
  // Not on arrival: a body comes in on the connection's own events, and what it then calls would be outside.
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.span === undefined) done();
    else request.span.run(done);
  });
  server.addHook('onResponse', ({ span }, reply, done) => {
    span?.describe({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
    done();
  });
}
