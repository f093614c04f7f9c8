/** Builds the Fastify server: one route for each command and query. Fastify is built nowhere else. */
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
import type { AnyQuery } from '../runtime/define-query.ts';
import type { Route } from '../runtime/define-route.ts';
import type { Rejection } from '../runtime/rejection.ts';
import { StreamAnswer } from '../runtime/stream-answer.ts';
import { rejection } from '../streams/rejections.ts';
import { createAdmission } from './admission.ts';
import { allowedMethods } from './allowed-methods.ts';
import { anonymousReads, isAnonymousRead } from './anonymous-reads.ts';
import { type AnswerObserver, logAnswer, logAnswers } from './answer-log.ts';
import { callOf } from './call-of.ts';
import { type ConnectionLimits, createHttpServer, requireOneHost } from './connections.ts';
import { refusePages, registerCors } from './cors.ts';
import { type DocsPage, publicPathOf, registerDocsPage } from './docs-page.ts';
import { preferenceOf } from './media-preference.ts';
import { createOperatorGate } from './operator-gate.ts';
import { createCallLimits } from './rate-limit/call-limits.ts';
import { createNotePartner } from './rate-limit/partners.ts';
import type { Partner, RateLimitPolicies } from './rate-limit/policies.ts';
import { createWrongKeys } from './rate-limit/wrong-keys.ts';
import { answerUnreadable, refuse } from './refuse.ts';
import { namedTwice, repeatedMember } from './repeated-member.ts';
import { createRequestLog } from './request-log.ts';
import { traceRequests } from './request-spans.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { sendAnswer } from './send-answer.ts';
import { serializeWhenAsked } from './serialize-when-asked.ts';
import { createStreams, type StreamLimits } from './streams.ts';
import { readUpload, registerUploads, uploadRouteOptions } from './upload.ts';
import { createInputReader } from './validation.ts';

const JSON_BODY_LIMIT = 32 * 1024;
const LONG_TEXT = 16 * 1024;
const READ_YOUR_WRITES_TIMEOUT = 5_000;
const MAY_HAVE_BODY = new Set(['POST', 'PUT', 'PATCH']);
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;
const POSITION = /^[\w.:-]{1,64}$/;

export interface ServerOptions<Services> {
  /** Passed to commands and queries. */
  readonly services: Services;
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  readonly operators: Operators;
  readonly partners: readonly Partner[];
  readonly docs: DocsPage;
  readonly runner: CommandRunner<Services>;
  readonly commands: readonly AnyCommand<Services>[];
  readonly queries: readonly AnyQuery<Services>[];
  readonly log: FastifyBaseLogger;
  readonly observer: AnswerObserver;
  /** Absent without tracing. */
  readonly tracing?: Tracing | undefined;
  /** Absent without rate limits. */
  readonly rateLimits?: RateLimitPolicies | undefined;
  readonly connections: ConnectionLimits;
  readonly streams: StreamLimits;
  /** Web origins that may call from a browser. */
  readonly allowedOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Waits until the read models show the position; `never` at once for what can be no position of this log. */
  readonly reachPosition: (
    position: string,
    milliseconds: number,
  ) => Promise<'reached' | 'not-yet' | 'never'>;
  readonly isClosing: () => boolean;
  /** Given where nothing can be changed: why every command is refused, whoever calls. */
  readonly commandsRefused?: (() => Rejection) | undefined;
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that would have to be unpacked: a small one could become a huge one. */
function requirePlainBody(request: FastifyRequest, reply: FastifyReply): void {
  const coding = MAY_HAVE_BODY.has(request.method) ? request.headers['content-encoding'] : undefined;
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  reply.header('accept-encoding', 'identity');
  throw rejection('UNSUPPORTED_MEDIA_TYPE', 'A body is accepted only without a Content-Encoding.');
}

export async function createServer<Services>(options: ServerOptions<Services>): Promise<FastifyInstance> {
  const { services, runner, log } = options;
  const server = Fastify({
    loggerInstance: log,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: JSON_BODY_LIMIT,
    // Plugins wait for nothing but the processor: on a busy machine they are late, and the start must not fail for that.
    pluginTimeout: 0,
    routerOptions: { maxParamLength: 256 },
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    requestIdHeader: false,
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID(),
    return503OnClosing: false,
    serverFactory: (handler) =>
      createHttpServer(handler, options.connections, {
        ...options.observer,
        full: () => log.warn(options.connections, 'connection limit reached'),
        overfull: () => log.warn(options.connections, 'limit of unread answers reached'),
      }),
    frameworkErrors(error, request, reply) {
      // No hook runs for these.
      reply.raw.once('close', () => logAnswer(request, reply, options.observer));
      refuse(reply, request, error);
    },
    clientErrorHandler(error, socket) {
      if (error.code !== 'ECONNRESET') options.observer.unreadable();
      answerUnreadable(error, socket);
    },
  });
  server.setSerializerCompiler(serializeWhenAsked);
  server.decorateRequest('caller', undefined);
  server.decorate('publicPath', publicPathOf(options.docs));
  if (options.tracing !== undefined) traceRequests(server, options.tracing);
  logAnswers(server, options.observer);
  server.decorateRequest('partner', undefined);
  const now = () => options.clock.now().getTime();
  const limits = createCallLimits(options.rateLimits, now);
  const gate = createOperatorGate({
    operators: options.operators,
    wrongKeys: createWrongKeys('operator', options.rateLimits, now),
  });
  const notePartner = createNotePartner({
    partners: options.partners,
    wrongKeys: createWrongKeys('partner', options.rateLimits, now),
  });
  const streams = createStreams(options.streams);
  const admission = createAdmission({ accessTokens: options.accessTokens, gate, limits, notePartner });
  const exists = ({ route }: { readonly route: Route }) => route.auth !== 'operator' || gate.configured;

  // An empty body is no body; the route's schema decides whether that is allowed.
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      const repeated = error === null ? repeatedMember(text) : undefined;
      if (repeated === undefined) done(error, value);
      else done(namedTwice(repeated));
    });
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    requireOneHost(request.raw);
    requirePlainBody(request, reply);
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
  registerCors(
    server,
    options.allowedOrigins,
    (path) => anyOrigin.some((prefix) => path.startsWith(prefix)),
    anonymousReads(options.queries.map(({ route }) => route)),
  );

  const ofOperators = [...options.commands, ...options.queries].filter(
    ({ route }) => route.auth === 'operator',
  );
  if (gate.configured)
    refusePages(
      server,
      ofOperators.map(({ route }) => route.url),
    );

  server.setErrorHandler((error, request, reply) => refuse(reply, request, error));
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

  server.addHook('onSend', (_request, reply, payload, done) => {
    // Clients could hold up a stop for ever with connections that are kept alive.
    if (options.isClosing()) reply.header('connection', 'close');
    // Of a long text that its client does not read, Node would keep two or three copies.
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });

  for (const query of options.queries.filter(exists)) {
    const readInput = createInputReader(query.input, { bodyIsChecked: false });
    server.route({
      method: query.route.method,
      url: query.route.url,
      config: { isForNoPage: query.route.auth === 'operator', isForAnyPage: isAnonymousRead(query.route) },
      schema: { response: { 200: query.output } },
      onRequest: admission(query.route),
      async handler(request, reply) {
        // Routes without a limit must not wait either.
        const after = request.headers['x-after-position'];
        if (after !== undefined && query.route.limit !== 'none') await waitForWrites(after);
        const input = readInput({ params: request.params, query: request.query, body: request.body });
        const call = { ...callOf(request, query.route), ...preferenceOf(request, reply, query) };
        const answer = await query.run(input, { services, call });
        if (answer instanceof StreamAnswer) return streams.open(request, reply, answer);
        return sendAnswer(request, reply, answer);
      },
    });
  }

  const commands = options.commands.filter(exists);
  for (const command of commands) if (command.route.upload === undefined) addCommand(server, command);
  // In a scope of their own, so that other routes do not pass the form parser's hooks.
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
      onRequest: options.commandsRefused === undefined ? admission(command.route) : refuseCommand,
      async handler(request, reply) {
        const body = upload === undefined ? request.body : await readUpload(request, upload);
        const input = readInput({ params: request.params, query: request.query, body });
        // A replay of what is already recorded gets its call refunded.
        const call = { ...callOf(request, command.route), onReplay: () => limits.giveBack(request, reply) };
        const { output, position, entityTag } = await command.run(runner, input, call);
        if (position !== undefined) reply.header('x-position', position);
        if (entityTag !== undefined) reply.header('etag', entityTag);
        return output;
      },
    });
  }

  async function refuseCommand(): Promise<void> {
    throw options.commandsRefused?.();
  }

  async function waitForWrites(position: string | string[]): Promise<void> {
    const reached =
      typeof position === 'string' && POSITION.test(position)
        ? await options.reachPosition(position, READ_YOUR_WRITES_TIMEOUT)
        : 'never';
    if (reached === 'reached') return;
    if (reached === 'never') {
      throw rejection(
        'VALIDATION_FAILED',
        'X-After-Position must be the X-Position of an earlier answer of this log; leave it out otherwise.',
      );
    }
    throw rejection('STORE_UNAVAILABLE', 'The read models have not reached this position yet; try again.', {
      retryAfterSeconds: 1,
    });
  }
}
