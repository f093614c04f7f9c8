/** Answers calls that reach no route: an unknown path, or another method than the path answers. */
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import { allowedMethods } from './allowed-methods.ts';
import { refuse } from './refuse.ts';

/** Must be called before the routes are added. */
export function refuseUnknownPaths(server: FastifyInstance): void {
  const methodsOf = allowedMethods(server);
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsOf(path);
    // A path that its own method does not reach has a parameter that cannot be one; OPTIONS reaches all that pages may call.
    if (methods.length === 0 || [...methods, 'OPTIONS'].includes(request.method)) {
      return refuse(reply, request, rejection('ROUTE_NOT_FOUND', `There is no ${request.method} ${path}.`));
    }
    reply.header('allow', methods.join(', '));
    const answered = `${path} answers ${methods.join(', ')}, not ${request.method}.`;
    return refuse(reply, request, rejection('METHOD_NOT_ALLOWED', answered));
  });
}
