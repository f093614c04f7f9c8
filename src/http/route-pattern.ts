/** Tells the pattern of a request's route. The framework tells it too, but writes a whole description of the route for every question. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of its route, once that has been asked whether the caller may call. */
    knownPattern: string | undefined;
  }
}

/** For all routes that are added afterwards. */
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
  // What is refused before any route has its say is rare.
  return request.knownPattern ?? request.routeOptions.url;
}
