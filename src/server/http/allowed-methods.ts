/** Knows which methods a path answers, for calls that come with another one. */
import type { FastifyInstance } from 'fastify';

/** The methods of the routes that match the path, in the order of the alphabet; none where there is no such path. */
export type AllowedMethods = (path: string) => readonly string[];

/** Knows the routes that are added afterwards. A route for every path says nothing of one, and is left out. */
export function allowedMethods(server: FastifyInstance): AllowedMethods {
  const known: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    if (url !== '/*') known.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (path) => {
    const found = known.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)].filter((method) => method !== 'OPTIONS').sort();
  };
}

/** Matches the paths of a route. */
export function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
