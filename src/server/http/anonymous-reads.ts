/** Knows which paths anybody may read without signing in. */
import type { Route } from '../../kernel/runtime/define-route.ts';
import { patternOf } from './allowed-methods.ts';

export function isAnonymousRead({ method, auth }: Route): boolean {
  return method === 'GET' && (auth === 'none' || auth === 'optional');
}

/** Tells whether a GET of the path reaches a route that answers without signing in. */
export function anonymousReads(routes: readonly Route[]): (path: string) => boolean {
  const reads = routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ pattern: patternOf(route.url), route, parameters: route.url.split(':').length }))
    // When two routes match, the router takes the one with fewer parameters.
    .sort((one, other) => one.parameters - other.parameters);
  return (path) => {
    const found = reads.find(({ pattern }) => pattern.test(path));
    return found !== undefined && isAnonymousRead(found.route);
  };
}
