/**
 * `/v1` before a path leads to the same route, which is registered once. Operators' routes have no `/v1`: a path that a proxy
 * closes must not be open under another name.
 */
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import './docs/docs-page.ts';

const VERSION = '/v1';

/** The path and query as they are routed. */
export function withoutVersion(url: string): string {
  return url.startsWith(`${VERSION}/`) ? url.slice(VERSION.length) : url;
}

export function refuseVersionedOperatorPaths(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { originalUrl, url } = request;
    if (originalUrl === url || !request.routeOptions.config.isForNoPage) return done();
    const path = originalUrl.split('?', 1)[0];
    done(rejection('ROUTE_NOT_FOUND', `There is no ${request.method} ${path}.`));
  });
}
