/**
 * Other names of a path: `/v1` before it, and the path that its route had before. A request is routed by the path as it is today, so
 * that no route is registered twice; an answer under a former path says so (RFC 9745). Operators' routes have no `/v1`: what a proxy
 * closes under one path must not be open under another.
 */
import type { FastifyInstance } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import './docs/docs-page.ts';

const VERSION = '/v1';

export interface PathAliases {
  /** The path and query as they are routed. */
  todays(url: string): string;
  /** Since when the path has another name, in Unix seconds; undefined for one that is not deprecated. */
  deprecatedSince(url: string): number | undefined;
}

interface Former {
  readonly prefix: string;
  readonly today: string;
  readonly since: number;
}

/** Pure. Throws for a former path that is more than a prefix and one parameter. */
export function createPathAliases(routes: readonly Pick<Route, 'url' | 'formerly'>[]): PathAliases {
  const formers = routes.flatMap(({ url, formerly }): readonly Former[] => {
    if (formerly === undefined) return [];
    const [today, prefix] = [url, formerly.url].map((each) => /^(\/[^:]*\/):\w+$/.exec(each)?.[1]);
    if (today === undefined || prefix === undefined)
      throw new Error(`${formerly.url} is no prefix of a parameter`);
    return [{ prefix, today, since: Date.parse(formerly.until) / 1_000 }];
  });
  const formerOf = (url: string) => formers.find(({ prefix }) => url.startsWith(prefix));
  return {
    todays(url) {
      const path = withoutVersion(url);
      const former = formerOf(path);
      return former === undefined ? path : `${former.today}${path.slice(former.prefix.length)}`;
    },
    deprecatedSince: (url) => formerOf(withoutVersion(url))?.since,
  };
}

/** Tells callers of a former path its name of today, and keeps operators' routes from having two. */
export function markAliases(server: FastifyInstance, aliases: PathAliases): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { originalUrl, url } = request;
    if (originalUrl === url) return done();
    if (request.routeOptions.config.isForNoPage) {
      const path = originalUrl.split('?', 1)[0];
      return done(rejection('ROUTE_NOT_FOUND', `There is no ${request.method} ${path}.`));
    }
    const since = aliases.deprecatedSince(originalUrl);
    if (since !== undefined) {
      const today = `${server.publicPath}${url.split('?', 1)[0]}`;
      reply.headers({ deprecation: `@${since}`, link: `<${today}>; rel="successor-version"` });
    }
    done();
  });
}

function withoutVersion(url: string): string {
  return url.startsWith(`${VERSION}/`) ? url.slice(VERSION.length) : url;
}
