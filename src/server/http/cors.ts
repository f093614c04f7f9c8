/**
 * Decides by route which web pages may call, and which headers they may send and read (CORS). @fastify/cors 11.4.3
 * is unsuitable: it exposes headers to pages of every origin, and handles a preflight request without access to the
 * requested route.
 */
import type { FastifyInstance } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import type { IsAllowedOrigin } from '../auth/allowed-origins.ts';
import type { RouteTable } from './route-table.ts';

const ANONYMOUS_HEADERS = 'If-None-Match, If-Range, Last-Event-ID, Range, X-After-Position, X-Request-Id';
const ALLOWED_HEADERS = `Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, ${ANONYMOUS_HEADERS}`;
const EXPOSED_HEADERS =
  'ETag, Location, Preference-Applied, X-Position, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const PREFLIGHT_SECONDS = '600';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for pages and files that belong to no command or query. */
    route?: Route;
  }
}

export function registerCors(server: FastifyInstance, isAllowed: IsAllowedOrigin, table: RouteTable): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { origin, authorization } = request.headers;
    const { route } = request.routeOptions.config;
    if (route?.anyOrigin) reply.header('access-control-allow-origin', '*');
    else {
      reply.header('vary', 'Origin');
      const allowed = originFor(route, origin, authorization !== undefined);
      if (allowed !== undefined && request.method !== 'OPTIONS') {
        reply.header('access-control-allow-origin', allowed);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      }
    }
    done();
  });

  server.options('/*', (request, reply) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = table.methodsOf(path);
    const config = table.configOf(asked ?? methods[0] ?? '', path);
    const route = config?.route;
    if (config === undefined || (route !== undefined && isForNoPage(route))) return reply.callNotFound();
    const allowed = originFor(route, origin, false);
    if (allowed !== undefined) reply.header('access-control-allow-origin', allowed);
    const isAnonymous = allowed === '*';
    return reply
      .header('access-control-allow-methods', isAnonymous ? 'GET' : methods.join(', '))
      .header('access-control-allow-headers', isAnonymous ? ANONYMOUS_HEADERS : ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .status(204)
      .send();
  });

  /** Pages of configured origins may call all routes without secret keys; other pages may read anonymous routes. */
  function originFor(
    route: Route | undefined,
    origin: string | undefined,
    isSignedIn: boolean,
  ): string | undefined {
    if (route?.anyOrigin) return '*';
    if (origin === undefined || (route !== undefined && isForNoPage(route))) return undefined;
    if (isAllowed(origin)) return origin;
    return route !== undefined && isAnonymousRead(route) && !isSignedIn ? '*' : undefined;
  }
}

/** True for routes that need a secret key, which a page must not have. */
export function isForNoPage({ auth }: Route): boolean {
  return auth === 'operator' || auth === 'partner';
}

function isAnonymousRead({ method, auth }: Route): boolean {
  return method === 'GET' && (auth === 'none' || auth === 'optional');
}
