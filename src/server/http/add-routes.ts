/** Registers the routes of queries and commands. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyCommand, CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import { StreamAnswer } from '../../kernel/runtime/define-query.ts';
import { type Call, type Route, takesIdempotencyKey } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import type { WaitForPosition } from '../delivery/wait-for-position.ts';
import type { Admission } from './admission.ts';
import type { TypedServer } from './fastify-server.ts';
import { schemasOf } from './input-schemas.ts';
import { readWeights, varyBy } from './prebuilt-responses.ts';
import { widestNetworkOf } from './rate-limit/caller-keys.ts';
import type { RequestConcurrency } from './request-concurrency.ts';
import { sendResult } from './send-result.ts';
import type { Streams } from './streams.ts';
import { readUpload, type UploadPlaces, type UploadRules, uploadRouteOptions } from './upload.ts';

/** Dependencies that all routes share. */
export interface RouteParts<Services> {
  readonly services: Services;
  readonly runner: CommandRunner<Services>;
  readonly admission: (route: Route) => Admission;
  readonly streams: Streams;
  readonly requestPlaces: RequestConcurrency;
  readonly uploadPlaces: UploadPlaces;
  readonly reachPosition: WaitForPosition;
}

/** Registers a query: it waits for the caller's own writes, reads from read models, and records nothing. */
export function addQuery<Services>(
  server: TypedServer,
  query: AnyQuery<Services>,
  parts: Omit<RouteParts<Services>, 'runner' | 'uploadPlaces'>,
): void {
  const { services, streams, reachPosition } = parts;
  addRoute(server, query, parts, async (request, reply) => {
    await waitForWrites(request, query.route, reachPosition);
    const { params, query: asked, body } = request;
    const call = { ...callOf(request, query.route), ...mediaPreferenceOf(request, reply, query) };
    const answer = await query.run({ params, query: asked, body }, { services, call });
    if (answer instanceof StreamAnswer) return streams.open(request, reply, answer);
    return sendResult(request, reply, query, answer);
  });
}

function addRoute(
  server: TypedServer,
  described: AnyQuery<never> | AnyCommand<never>,
  { admission, requestPlaces }: Pick<RouteParts<never>, 'admission' | 'requestPlaces'>,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const { route } = described;
  server.route({
    method: route.method,
    url: route.url,
    config: { route },
    schema: schemasOf(described),
    ...(route.upload === undefined ? {} : uploadRouteOptions(route.upload)),
    onRequest: admission(route),
    async handler(request, reply) {
      const leave = requestPlaces.take(request, route);
      try {
        return await answer(request, reply);
      } finally {
        // The request is counted until the response is ready, not until it is read: unread responses are limited by
        // their bytes.
        leave();
      }
    },
  });
}

const JSON_TYPE = 'application/json';

function mediaPreferenceOf(
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

const RESPOND_ASYNC = /(?:^|,)\s*respond-async\s*(?:;|,|$)/i;
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|,|$)/i;

/** RFC 7240: `respond-async` responds immediately, and with `wait=10` after ten seconds at the latest. */
function asyncPreferenceOf({ headers }: FastifyRequest): Pick<Call, 'waitsFor'> {
  const prefer = [headers.prefer ?? []].flat().join(',');
  if (!RESPOND_ASYNC.test(prefer)) return {};
  return { waitsFor: Number(WAIT.exec(prefer)?.[1] ?? 0) * 1_000 };
}

/** Registers a command. Its response reports the position of its last event. */
export function addCommand<Services>(
  server: TypedServer,
  command: AnyCommand<Services>,
  parts: RouteParts<Services>,
): void {
  const { runner, uploadPlaces } = parts;
  const { route } = command;
  const { upload } = route;
  addRoute(server, command, parts, (request, reply) =>
    upload === undefined ? answer(request, reply) : answerUpload(request, reply, upload),
  );

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
    const call = {
      ...callOf(request, route),
      ...(command.respondsAsync ? asyncPreferenceOf(request) : {}),
      ...(inTurn === undefined ? {} : { inTurn }),
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

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Throws `VALIDATION_FAILED` for an invalid Idempotency-Key. */
function callOf(request: FastifyRequest, route: Route): Call {
  const { caller, partner } = request;
  const { origin, 'last-event-id': lastEventId } = request.headers;
  const base = {
    requestId: request.id,
    ...(partner === undefined ? { network: widestNetworkOf(request.ip) } : { partner: partner.name }),
    ...(origin === undefined ? {} : { origin }),
    ...(lastEventId === undefined ? {} : { lastEventId: String(lastEventId) }),
  };
  if (caller === undefined) return { actor: 'anonymous', ...base };
  const { 'idempotency-key': sentKey, 'if-match': ifMatch } = request.headers;
  const key = takesIdempotencyKey(route) ? sentKey : undefined;
  if (key !== undefined && (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))) {
    throw rejection(
      'VALIDATION_FAILED',
      'Idempotency-Key must consist of 1 to 255 visible ASCII characters.',
    );
  }
  const { actor, tokenId, tokenExpiresAt } = caller;
  return {
    actor,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
    ...base,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
}

/** Longest wait for a position, in milliseconds. */
const TIMEOUT = 5_000;
const POSITION = /^[\w.:-]{1,64}$/;

/** Delays a GET with `X-After-Position` until the read models include that position. */
async function waitForWrites(
  { headers }: FastifyRequest,
  { limit }: Route,
  reachPosition: WaitForPosition,
): Promise<void> {
  const position = headers['x-after-position'];
  // Routes without a limit, such as health checks, must not wait either.
  if (position === undefined || limit === 'none') return;
  const reached =
    typeof position === 'string' && POSITION.test(position)
      ? await reachPosition(position, TIMEOUT)
      : 'never';
  if (reached === 'reached') return;
  if (reached === 'never') {
    throw rejection(
      'VALIDATION_FAILED',
      'X-After-Position must be the X-Position of an earlier response from this log; otherwise omit it.',
    );
  }
  throw rejection('STORE_UNAVAILABLE', 'The read models have not reached this position yet; try again.', {
    retryAfterSeconds: 1,
  });
}
