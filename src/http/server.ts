/** The only place where Fastify is built: turns commands and queries into routes, and everything refused into problems. */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { AccessTokens } from '../auth/access-token.ts';
import type { Operators } from '../auth/operators.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AnyCommand, CommandRunner } from '../runtime/define-command.ts';
import { type AnyQuery, JsonText, RawAnswer, TaggedAnswer } from '../runtime/define-query.ts';
import { type Call, type Route, takesIdempotencyKey } from '../runtime/define-route.ts';
import { isHeldAlready } from '../runtime/entity-tag.ts';
import { Rejection } from '../runtime/rejection.ts';
import { StreamAnswer } from '../runtime/stream-answer.ts';
import { rejection } from '../streams/rejections.ts';
import { type AnswerObserver, logAnswer, logAnswers } from './answer-log.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { type ConnectionLimits, createHttpServer, endSoon, requireHost } from './connections.ts';
import { refusePages, registerCors } from './cors.ts';
import { type DocsPage, registerDocsPage } from './docs-page.ts';
import { createOperatorGate, OPERATOR_KEY_HEADER } from './operator-gate.ts';
import { PROBLEM_CONTENT_TYPE, type Problem, problemOf, rejectionOf } from './problems.ts';
import { createCallLimits, policyOf } from './rate-limit/call-limits.ts';
import type { RateLimitPolicies } from './rate-limit/policies.ts';
import { createRequestLog } from './request-log.ts';
import { traceRequests } from './request-spans.ts';
import { createStreams, type StreamLimits } from './streams.ts';
import { readUpload, registerUploads, uploadRouteOptions } from './upload.ts';
import { createInputReader } from './validation.ts';

const JSON_BODY_LIMIT = 32 * 1024;
const READ_YOUR_WRITES_TIMEOUT = 5_000;
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const POSITION = /^[\w.:-]{1,64}$/;

/** helmet sets these and costs half the throughput. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
} as const;

export interface ServerOptions<Services> {
  /** What commands and queries use; handed on as it is. */
  readonly services: Services;
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  readonly operators: Operators;
  readonly docs: DocsPage;
  readonly runner: CommandRunner<Services>;
  readonly commands: readonly AnyCommand<Services>[];
  readonly queries: readonly AnyQuery<Services>[];
  readonly log: FastifyBaseLogger;
  readonly observer: AnswerObserver;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Absent where nothing is limited. */
  readonly rateLimits?: RateLimitPolicies | undefined;
  readonly connections: ConnectionLimits;
  readonly streams: StreamLimits;
  /** Browser origins that may call. */
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Resolves with false if the read models do not get there in time. */
  readonly waitFor: (position: string, milliseconds: number) => Promise<boolean>;
  readonly isClosing: () => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

export async function createServer<Services>(options: ServerOptions<Services>): Promise<FastifyInstance> {
  const { services, runner, log } = options;
  const server = Fastify({
    loggerInstance: log,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: JSON_BODY_LIMIT,
    routerOptions: { maxParamLength: 256 },
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    requestIdHeader: false,
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID(),
    return503OnClosing: false,
    serverFactory: (handler) =>
      createHttpServer(handler, options.connections, () =>
        log.warn(options.connections, 'there are as many connections as may be'),
      ),
    frameworkErrors(error, request, reply) {
      // It passes no hooks.
      reply.raw.once('close', () => logAnswer(request, reply, options.observer));
      refuse(reply, request, error);
    },
    clientErrorHandler(error, socket) {
      if (error.code !== 'ECONNRESET') options.observer.unreadable();
      answerUnreadable(error, socket);
    },
  });
  server.decorateRequest('caller', undefined);
  if (options.tracing !== undefined) traceRequests(server, options.tracing);
  logAnswers(server, options.observer);
  const limits = createCallLimits(options.rateLimits, () => options.clock.now().getTime());

  const gate = createOperatorGate({
    operators: options.operators,
    limitFailures: (request, reply, how) =>
      limits[how === 'take' ? 'count' : 'check']('operator', request, reply),
  });
  const streams = createStreams(options.streams);
  const exists = ({ route }: { readonly route: Route }) => route.auth !== 'operator' || gate.configured;

  // Its own parser: an empty body is no body, which the schema of the route then judges.
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, String(body), done);
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    requireHost(request.raw);
    if (options.isClosing()) {
      throw rejection('STORE_UNAVAILABLE', 'The service is shutting down; try again.', {
        retryAfterSeconds: 5,
      });
    }
    done();
  });
  const anyOrigin = [...options.commands, ...options.queries]
    .filter(({ route }) => route.anyOrigin)
    .map(({ route }) => route.url.replace(/:.*$/, ''));
  registerCors(server, options.allowedOrigins, (path) => anyOrigin.some((prefix) => path.startsWith(prefix)));

  const ofOperators = [...options.commands, ...options.queries].filter(
    ({ route }) => route.auth === 'operator',
  );
  if (gate.configured)
    refusePages(
      server,
      ofOperators.map(({ route }) => route.url),
    );

  server.setErrorHandler((error, request, reply) => refuse(reply, request, error));
  server.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      request,
      rejection('ROUTE_NOT_FOUND', `There is no ${request.method} ${request.url.split('?', 1)[0]}.`),
    ),
  );

  // A connection that is kept alive after its answer would hold up the stop for as long as its client likes.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (options.isClosing()) reply.header('connection', 'close');
    done();
  });

  for (const query of options.queries.filter(exists)) {
    const readInput = createInputReader(query.input, { bodyIsChecked: false });
    server.route({
      method: query.route.method,
      url: query.route.url,
      config: { isForNoPage: query.route.auth === 'operator' },
      schema: { response: { 200: query.output } },
      onRequest: admission(query.route),
      async handler(request, reply) {
        // What is not limited must not make anybody wait either.
        const after = request.headers['x-after-position'];
        if (after !== undefined && query.route.limit !== 'none') await waitForWrites(after);
        const input = readInput({ params: request.params, query: request.query, body: request.body });
        const answer = await query.run(input, { services, call: callOf(request, query.route) });
        if (answer instanceof StreamAnswer) return streams.open(request, reply, answer);
        return sendAnswer(request, reply, answer);
      },
    });
  }

  const commands = options.commands.filter(exists);
  for (const command of commands) if (command.route.upload === undefined) addCommand(server, command);
  // In a scope of their own: the parser of forms has hooks, which others need not pass.
  await server.register(async (scope) => {
    await registerUploads(scope);
    for (const command of commands) if (command.route.upload !== undefined) addCommand(scope, command);
  });
  await registerDocsPage(server, options.docs);
  return server;

  function addCommand(scope: FastifyInstance, command: AnyCommand<Services>): void {
    const { upload } = command.route;
    const readInput = createInputReader(command.input, { bodyIsChecked: upload !== undefined });
    scope.route({
      method: command.route.method,
      url: command.route.url,
      config: { isForNoPage: command.route.auth === 'operator' },
      schema: { response: { 200: command.output } },
      ...(upload === undefined ? {} : uploadRouteOptions(upload)),
      onRequest: admission(command.route),
      async handler(request, reply) {
        const body = upload === undefined ? request.body : await readUpload(request, upload);
        const input = readInput({ params: request.params, query: request.query, body });
        // What is recorded already costs the caller nothing again; it was counted until then, like every call.
        const call = { ...callOf(request, command.route), onReplay: () => limits.giveBack(request, reply) };
        const { output, position, entityTag } = await command.run(runner, input, call);
        if (position !== undefined) reply.header('x-position', position);
        if (entityTag !== undefined) reply.header('etag', entityTag);
        return output;
      },
    });
  }

  /** Who calls, and whether they may call now: decided before a byte of the body is read. */
  function admission(route: Route) {
    const policy = route.limit === 'none' ? undefined : policyOf(route);
    const count = (request: FastifyRequest, reply: FastifyReply) => {
      if (policy !== undefined) limits.count(policy, request, reply);
    };
    return (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined => {
      const { authorization, [OPERATOR_KEY_HEADER]: operatorKey } = request.headers;
      if (route.auth === 'operator' || (route.operatorsSeeMore && operatorKey !== undefined)) {
        request.caller = gate.admit(request, reply);
      } else if (route.auth === 'wallet' || (route.auth === 'optional' && authorization !== undefined)) {
        return signIn(request, reply).then(() => count(request, reply));
      } else {
        count(request, reply);
      }
      // Most calls have nothing to wait for.
      done();
      return undefined;
    };
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      request.caller = await authenticate(options.accessTokens, request.headers.authorization);
    } catch (error) {
      // Guessing at tokens is counted as well.
      limits.count('general', request, reply);
      // That the store does not answer, say, is no reason to show another token.
      const isAboutToken = error instanceof Rejection && error.kind === 'unauthenticated';
      if (isAboutToken) reply.header('www-authenticate', 'Bearer');
      throw error;
    }
  }

  async function waitForWrites(position: string | string[]): Promise<void> {
    if (typeof position !== 'string' || !POSITION.test(position)) {
      throw rejection('VALIDATION_FAILED', 'X-After-Position must be the X-Position of an earlier answer.');
    }
    if (await options.waitFor(position, READ_YOUR_WRITES_TIMEOUT)) return;
    throw rejection('STORE_UNAVAILABLE', 'The read models have not come that far yet; try again.', {
      retryAfterSeconds: 1,
    });
  }
}

function callOf(request: FastifyRequest, route: Route): Call {
  const { caller } = request;
  const { origin, 'last-event-id': lastEventId } = request.headers;
  const base = {
    requestId: request.id,
    ...(origin === undefined ? {} : { origin }),
    ...(lastEventId === undefined ? {} : { lastEventId: String(lastEventId) }),
  };
  if (caller === undefined) return { actor: 'anonymous', ...base };
  const { 'idempotency-key': sentKey, 'if-match': ifMatch } = request.headers;
  const key = takesIdempotencyKey(route) ? sentKey : undefined;
  if (key !== undefined && (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))) {
    throw rejection('VALIDATION_FAILED', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
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

function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown {
  if (answer instanceof TaggedAnswer) {
    // Whoever keeps it must ask each time whether it still holds, and keep it from everybody else.
    reply.headers({ etag: answer.entityTag, 'cache-control': 'private, no-cache' });
    if (!isHeldAlready(request.headers['if-none-match'], answer.entityTag)) return answer.output;
    return reply.status(304).send();
  }
  if (answer instanceof JsonText) {
    return reply.type('application/json; charset=utf-8').serializer(asIs).send(answer.text);
  }
  if (answer instanceof RawAnswer) {
    const body = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body);
    return reply.status(answer.status).headers(answer.headers).serializer(asIs).send(body);
  }
  return answer;
}

function asIs(text: unknown): string {
  return String(text);
}

function refuse(reply: FastifyReply, request: FastifyRequest, error: unknown): FastifyReply {
  const refused = rejectionOf(error);
  if (refused === undefined) {
    request.log.error({ err: error }, 'a request failed for a reason that nobody foresaw');
    return sendProblem(reply, {
      ...problemOf(rejection('STORE_UNAVAILABLE', 'Something went wrong here; it has been noted.'), request),
      title: 'Internal error',
      status: 500,
      code: 'INTERNAL_ERROR',
    });
  }
  if (refused.retryAfterSeconds !== undefined) reply.header('retry-after', String(refused.retryAfterSeconds));
  return sendProblem(reply, problemOf(refused, request));
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.problemCode = problem.code;
  // What the framework refuses by itself comes here without having passed the hooks.
  return reply
    .headers({ 'x-request-id': problem.requestId, ...SECURITY_HEADERS })
    .status(problem.status)
    .type(PROBLEM_CONTENT_TYPE)
    .serializer(asIs)
    .send(JSON.stringify(problem));
}

/** What arrives so broken that no request comes of it: header too large, no HTTP at all, or too slow. */
function answerUnreadable(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refused: Rejection =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? rejection('VALIDATION_FAILED', 'The request did not arrive in time.')
      : rejection('VALIDATION_FAILED', 'The request cannot be read.');
  const problem = problemOf(refused, { url: '', id: randomUUID() });
  const body = JSON.stringify(problem);
  const headers = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': problem.requestId,
    ...SECURITY_HEADERS,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endSoon(socket, `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
