/** Finds the routes of a path without calling them: for preflight requests, and for calls with an unsupported method. */
import { METHODS } from 'node:http';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';

export type RouteTable = ReturnType<typeof createRouteTable>;

/** Records the routes that are added later, except the one for every path. */
export function createRouteTable(server: FastifyInstance) {
  const router = createRouter({ maxParamLength: Number.POSITIVE_INFINITY });
  const find = (method: string, path: string) => router.find(method as HTTPMethod, path);
  server.addHook('onRoute', ({ url, method, config = {} }) => {
    if (url !== '/*') router.on([method].flat() as HTTPMethod[], url, () => undefined, config);
  });
  return {
    /** Methods of a path, sorted; empty if no route matches. */
    methodsOf: (path: string): readonly string[] =>
      METHODS.filter((method) => find(method, path) !== null).sort(),
    /** Configuration of the matching route; undefined if no route matches. */
    configOf: (method: string, path: string): FastifyContextConfig | undefined => find(method, path)?.store,
  };
}
