/** Which pages may call from a browser, and what they may send and read. */
import type { FastifyInstance } from 'fastify';

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, X-After-Position, Last-Event-ID';
const EXPOSED_HEADERS =
  'ETag, X-Position, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const PREFLIGHT_SECONDS = '600';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No page may call it, of whatever origin. */
    isForNoPage?: boolean;
  }
}

/** `isForAnyOrigin` tells the paths that every page may read. A route whose configuration says so is open to no page. */
export function registerCors(
  server: FastifyInstance,
  allowedOrigins: readonly string[],
  isForAnyOrigin: (path: string) => boolean,
): void {
  const allowed = new Set(allowedOrigins);
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (isForAnyOrigin(request.url)) reply.header('access-control-allow-origin', '*');
    else {
      reply.header('vary', 'Origin');
      // Asked last: few callers are pages, and to look the route up costs more than all the rest.
      if (origin !== undefined && allowed.has(origin) && !request.routeOptions.config.isForNoPage) {
        reply.header('access-control-allow-origin', origin);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      }
    }
    done();
  });
  server.options('/*', async (_request, reply) => {
    reply
      .header('access-control-allow-methods', 'GET, POST, PATCH')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .status(204);
  });
}

/** Answers the question that browsers ask beforehand like one about a path that is not there. The `urls` may hold parameters. */
export function refusePages(server: FastifyInstance, urls: readonly string[]): void {
  for (const url of new Set(urls)) {
    server.options(url, { config: { isForNoPage: true } }, (_request, reply) => reply.callNotFound());
  }
}
