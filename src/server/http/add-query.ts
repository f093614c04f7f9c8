/** Adds the route of a query: it waits for the caller's own writes, answers from read models, and records nothing. */
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import { StreamAnswer } from '../../kernel/runtime/stream-answer.ts';
import type { Admission } from './admission.ts';
import { isAnonymousRead } from './anonymous-reads.ts';
import { callOf } from './call-of.ts';
import type { TypedServer } from './fastify-server.ts';
import { schemasOf } from './input-schemas.ts';
import { preferenceOf } from './media-preference.ts';
import { type ReachPosition, waitForWrites } from './read-your-writes.ts';
import { sendAnswer } from './send-answer.ts';
import type { Streams } from './streams.ts';

export function addQuery<Services>(
  server: TypedServer,
  query: AnyQuery<Services>,
  parts: {
    readonly services: Services;
    readonly admission: Admission;
    readonly streams: Streams;
    readonly reachPosition: ReachPosition;
  },
): void {
  const { route } = query;
  const { services, streams, reachPosition } = parts;
  server.route({
    method: route.method,
    url: route.url,
    config: { isForNoPage: route.auth === 'operator', isForAnyPage: isAnonymousRead(route) },
    schema: schemasOf(query),
    onRequest: parts.admission,
    async handler(request, reply) {
      await waitForWrites(request, route, reachPosition);
      const { params, query: asked, body } = request;
      const call = { ...callOf(request, route), ...preferenceOf(request, reply, query) };
      const answer = await query.run({ params, query: asked, body }, { services, call });
      if (answer instanceof StreamAnswer) return streams.open(request, reply, answer);
      return sendAnswer(request, reply, answer);
    },
  });
}
