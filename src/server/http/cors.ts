/**
 * Decides which web pages may call, and what they may send and read (CORS). @fastify/cors 11.4.3 does not answer the same: it exposes
 * headers to pages of every origin, and a route that no page may call needs a decision per request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import type { IsAllowedOrigin } from '../auth/allowed-origins.ts';

const ANONYMOUS_HEADERS = 'If-None-Match, If-Range, Last-Event-ID, Range, X-After-Position, X-Request-Id';
const ALLOWED_HEADERS = `Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, ${ANONYMOUS_HEADERS}`;
const EXPOSED_HEADERS =
  'ETag, Location, Preference-Applied, X-Position, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const PREFLIGHT_SECONDS = '600';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No web page may call this route, whatever its origin. */
    isForNoPage?: boolean;
    /** Pages of every origin may read it as long as they do not sign in. */
    isForAnyPage?: boolean;
  }
}

/**
 * `isForAnyOrigin` tells which paths every page may read, with whatever headers; `isForAnyPage` tells the same of a GET without
 * signing in, for preflight requests. Routes with `isForNoPage` are open to no page.
 */
export function registerCors(
  server: FastifyInstance,
  isAllowed: IsAllowedOrigin,
  isForAnyOrigin: (path: string) => boolean,
  isForAnyPage: (path: string) => boolean,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (isForAnyOrigin(request.url)) reply.header('access-control-allow-origin', '*');
    else {
      reply.header('vary', 'Origin');
      // Checked last: few callers are pages, and looking up the route costs more than all the rest.
      if (origin !== undefined && isAllowed(origin) && !request.routeOptions.config.isForNoPage) {
        reply.header('access-control-allow-origin', origin);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      } else if (origin !== undefined && isAnonymousRead(request)) {
        reply.header('access-control-allow-origin', '*');
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      }
    }
    done();
  });
  server.options('/*', async (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers;
    const path = request.url.split('?', 1)[0] ?? '';
    if (origin !== undefined && !isAllowed(origin) && method === 'GET' && isForAnyPage(path)) {
      return reply
        .header('access-control-allow-origin', '*')
        .header('access-control-allow-methods', 'GET')
        .header('access-control-allow-headers', ANONYMOUS_HEADERS)
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .status(204)
        .send();
    }
    return reply
      .header('access-control-allow-methods', 'GET, POST, PATCH, PUT')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .status(204)
      .send();
  });
}

function isAnonymousRead({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isForAnyPage === true && headers.authorization === undefined;
}

/** Calls with a secret key that is not the caller's own. */
export function isForNoPage({ auth }: Pick<Route, 'auth'>): boolean {
  return auth === 'operator' || auth === 'partner';
}

/** Answers preflight requests for these `urls`, which may hold parameters, as if the path did not exist. */
export function refusePages(server: FastifyInstance, urls: readonly string[]): void {
  for (const url of new Set(urls)) {
    server.options(url, { config: { isForNoPage: true } }, (_request, reply) => reply.callNotFound());
  }
}
