/** Gives the pattern of a request's route. Fastify's `routeOptions` builds a whole description of the route at each access. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The route's pattern; set once the route's own hooks run. */
    knownPattern: string | undefined;
  }
}

/** Applies to routes that are added afterwards. */
export function rememberPatterns(server: FastifyInstance): void {
  server.decorateRequest('knownPattern', undefined);
  server.addHook('onRoute', (route) => {
    const { url } = route;
    const hooks = [route.onRequest ?? []].flat();
    route.onRequest = [
      (request, _reply, done) => {
        request.knownPattern = url;
        done();
      },
      ...hooks,
    ];
  });
}

/** Undefined where there is no route. */
export function patternOf(request: FastifyRequest): string | undefined {
  // Few requests are refused before the route's hooks run.
  return request.knownPattern ?? request.routeOptions.url;
}
