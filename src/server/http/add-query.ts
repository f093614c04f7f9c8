/** Adds the route of a query: it waits for the caller's own writes, answers from read models, and records nothing. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import type { Call } from '../../kernel/runtime/define-route.ts';
import { StreamAnswer } from '../../kernel/runtime/stream-answer.ts';
import { readWeights, varyBy } from './accept-weights.ts';
import type { Admission } from './admission.ts';
import { callOf } from './call-of.ts';
import type { TypedServer } from './fastify-server.ts';
import { schemasOf } from './input-schemas.ts';
import { type ReachPosition, waitForWrites } from './read-your-writes.ts';
import type { RequestPlaces } from './request-places.ts';
import { sendAnswer } from './send-answer.ts';
import type { Streams } from './streams.ts';

export function addQuery<Services>(
  server: TypedServer,
  query: AnyQuery<Services>,
  parts: {
    readonly services: Services;
    readonly admission: Admission;
    readonly streams: Streams;
    readonly requestPlaces: RequestPlaces;
    readonly reachPosition: ReachPosition;
  },
): void {
  const { route } = query;
  const { services, streams, requestPlaces, reachPosition } = parts;
  server.route({
    method: route.method,
    url: route.url,
    config: { route },
    schema: schemasOf(query),
    onRequest: parts.admission,
    async handler(request, reply) {
      const leave = requestPlaces.take(request, route);
      try {
        await waitForWrites(request, route, reachPosition);
        const { params, query: asked, body } = request;
        const call = { ...callOf(request, route), ...preferenceOf(request, reply, query) };
        const answer = await query.run({ params, query: asked, body }, { services, call });
        if (answer instanceof StreamAnswer) return streams.open(request, reply, answer);
        return sendAnswer(request, reply, answer);
      } finally {
        // Not when the answer has been read: that is bounded by its bytes.
        leave();
      }
    },
  });
}

const JSON_TYPE = 'application/json';

function preferenceOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { alternative }: { readonly alternative?: string },
): Pick<Call, 'prefersAlternative'> {
  if (alternative === undefined) return {};
  varyBy(reply, 'Accept');
  const weights = readWeights(request.headers.accept ?? '*/*');
  const isPreferred = weightOf(alternative, weights) > weightOf(JSON_TYPE, weights);
  return isPreferred ? { prefersAlternative: true } : {};
}

function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const family = `${type.split('/', 1)[0]}/*`;
  return weights.get(type) ?? weights.get(family) ?? weights.get('*/*') ?? 0;
}
