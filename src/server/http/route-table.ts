/** Finds the routes of a path without calling them: for preflight requests, and for calls with another method. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify';

export interface RouteTable {
  /** Sorted; empty if there is no such path. */
  methodsOf(path: string): readonly string[];
  /** The configuration of the route that the router would take; undefined if there is none. */
  configOf(method: string, path: string): FastifyContextConfig | undefined;
}

/** Contains the routes that are added afterwards, except one for every path. */
export function createRouteTable(server: FastifyInstance): RouteTable {
  const routes: {
    readonly url: string;
    readonly pattern: RegExp;
    readonly methods: readonly string[];
    readonly config: FastifyContextConfig | undefined;
  }[] = [];
  server.addHook('onRoute', ({ url, method, config }) => {
    if (url !== '/*') routes.push({ url, pattern: patternOf(url), methods: [method].flat(), config });
  });
  return {
    methodsOf(path) {
      const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
      return [...new Set(methods)].sort();
    },
    configOf(method, path) {
      const matching = routes.filter(
        ({ methods, pattern }) => methods.includes(method) && pattern.test(path),
      );
      // If two routes match, the router takes the one with fewer parameters.
      return matching.sort((one, other) => parametersIn(one.url) - parametersIn(other.url))[0]?.config;
    },
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}

function parametersIn(url: string): number {
  return url.split(/[:*]/).length;
}
