/** Traces each request with one span, named by OpenTelemetry's HTTP conventions. The handler runs within the span. */
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '../../kernel/ports/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where requests are not traced. */
    span: Span | undefined;
  }
}

/** Other methods are traced as `_OTHER`, which bounds the number of span names. */
const KNOWN_METHODS = new Set(METHODS);

export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  server.decorateRequest('span', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const method = KNOWN_METHODS.has(request.method) ? request.method : '_OTHER';
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
          // Without the query, which may hold personal data.
          'url.path': request.url.split('?', 1)[0] ?? '',
          ...(route === undefined ? {} : { 'http.route': route }),
          'levy.request_id': request.id,
        },
      },
    );
    done();
  });
  // Not in onRequest: the body is received in events of the connection, and code that runs after it would be outside
  // the span.
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
