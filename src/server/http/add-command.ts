/** Adds the route of a command: it reads the call, runs the command, and says up to which position the answer goes. */
import type { AnyCommand, CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { Admission } from './admission.ts';
import { callOf } from './call-of.ts';
import { isForNoPage } from './cors.ts';
import type { TypedServer } from './fastify-server.ts';
import { schemasOf } from './input-schemas.ts';
import type { CallLimits } from './rate-limit/call-limits.ts';
import { readUpload, uploadRouteOptions } from './upload.ts';

export function addCommand<Services>(
  server: TypedServer,
  command: AnyCommand<Services>,
  parts: {
    readonly runner: CommandRunner<Services>;
    readonly admission: Admission;
    readonly limits: Pick<CallLimits, 'giveBack'>;
  },
): void {
  const { route } = command;
  const { upload } = route;
  const { runner, limits } = parts;
  server.route({
    method: route.method,
    url: route.url,
    config: { isForNoPage: isForNoPage(route) },
    schema: schemasOf(command),
    ...(upload === undefined ? {} : uploadRouteOptions(upload)),
    onRequest: parts.admission,
    async handler(request, reply) {
      const { params, query } = request;
      const body = upload === undefined ? request.body : await readUpload(request, upload);
      // A replay of what is already recorded gets its call refunded.
      const call = { ...callOf(request, route), onReplay: () => limits.giveBack(request, reply) };
      const { output, position, entityTag } = await command.run(runner, { params, query, body }, call);
      if (position !== undefined) reply.header('x-position', position);
      if (entityTag !== undefined) reply.header('etag', entityTag);
      return output;
    },
  });
}
