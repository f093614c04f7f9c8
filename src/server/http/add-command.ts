/** Adds the route of a command: it reads the call, runs the command, and says up to which position the answer goes. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyCommand, CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { Call } from '../../kernel/runtime/define-route.ts';
import type { Admission } from './admission.ts';
import { callOf } from './call-of.ts';
import type { TypedServer } from './fastify-server.ts';
import { schemasOf } from './input-schemas.ts';
import type { CallLimits } from './rate-limit/call-limits.ts';
import type { RequestPlaces } from './request-places.ts';
import { readUpload, type UploadRules, uploadRouteOptions } from './upload.ts';
import type { UploadPlaces } from './upload-places.ts';

const RESPOND_ASYNC = /(?:^|,)\s*respond-async\s*(?:;|,|$)/i;
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|,|$)/i;

/** RFC 7240: `respond-async` answers at once, and with `wait=10` after ten seconds at the latest. */
function preferenceOf({ headers }: FastifyRequest): Pick<Call, 'waitsFor'> {
  const prefer = [headers.prefer ?? []].flat().join(',');
  if (!RESPOND_ASYNC.test(prefer)) return {};
  return { waitsFor: Number(WAIT.exec(prefer)?.[1] ?? 0) * 1_000 };
}

export function addCommand<Services>(
  server: TypedServer,
  command: AnyCommand<Services>,
  parts: {
    readonly runner: CommandRunner<Services>;
    readonly admission: Admission;
    readonly limits: Pick<CallLimits, 'giveBack'>;
    readonly requestPlaces: RequestPlaces;
    readonly uploadPlaces: UploadPlaces;
  },
): void {
  const { route } = command;
  const { upload } = route;
  const { runner, limits, requestPlaces, uploadPlaces } = parts;
  server.route({
    method: route.method,
    url: route.url,
    config: { route },
    schema: schemasOf(command),
    ...(upload === undefined ? {} : uploadRouteOptions(upload)),
    onRequest: parts.admission,
    async handler(request, reply) {
      const leave = requestPlaces.take(request, route);
      try {
        return await (upload === undefined ? answer(request, reply) : answerUpload(request, reply, upload));
      } finally {
        leave();
      }
    },
  });

  async function answerUpload(request: FastifyRequest, reply: FastifyReply, rules: UploadRules) {
    const { inTurn, leave } = uploadPlaces.admit(request, reply);
    try {
      return await answer(request, reply, { body: await readUpload(request, rules), inTurn });
    } finally {
      leave();
    }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { body, inTurn }: { readonly body: unknown; readonly inTurn?: Call['inTurn'] } = { body: request.body },
  ): Promise<unknown> {
    const { params, query } = request;
    // A replay of what is already recorded gets its call refunded.
    const call = {
      ...callOf(request, route),
      ...(command.respondsAsync ? preferenceOf(request) : {}),
      ...(inTurn === undefined ? {} : { inTurn }),
      onReplay: () => limits.giveBack(request, reply),
    };
    const { output, position, entityTag, acceptedAt } = await command.run(
      runner,
      { params, query, body },
      call,
    );
    if (position !== undefined) reply.header('x-position', position);
    if (entityTag !== undefined) reply.header('etag', entityTag);
    if (call.waitsFor !== undefined) reply.header('preference-applied', 'respond-async');
    if (acceptedAt === undefined) return output;
    return reply.status(202).header('location', `${server.publicPath}${acceptedAt}`).send();
  }
}
