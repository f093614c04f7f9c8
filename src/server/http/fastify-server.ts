/** Builds the bare Fastify server. Its types come from TypeBox schemas, and input-schemas.ts checks the input. */
import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifySerializerCompiler } from 'fastify';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type ConnectionLimits, createHttpServer, refusalOfHead } from './connections.ts';
import { checkInput } from './input-schemas.ts';
import { logResponse, type ResponseObserver } from './response-log.ts';
import { answerUnreadable, sendProblem } from './send-problem.ts';

const JSON_BODY_LIMIT = 32 * 1024;
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Input types of handlers come from their route's schemas. */
export type TypedServer = FastifyInstance<
  HttpServer,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface FastifyServerOptions {
  readonly log: FastifyBaseLogger;
  readonly observer: ResponseObserver;
  readonly connections: ConnectionLimits;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
}

export function createFastifyServer(options: FastifyServerOptions): TypedServer {
  const { log, observer, connections, trustedProxies } = options;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: JSON_BODY_LIMIT,
    // Plugins wait only for the processor: they are late on a busy machine, and startup must not fail because of that.
    pluginTimeout: 0,
    routerOptions: { maxParamLength: 256 },
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestIdHeader: false,
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID(),
    return503OnClosing: false,
    serverFactory: (handler) =>
      createHttpServer(handler, connections, {
        ...observer,
        full: () => log.warn(connections, 'connection limit reached'),
        overfull: () => log.warn(connections, 'limit of unread responses reached'),
      }),
    frameworkErrors(error, request, reply) {
      // Fastify runs no hooks for these errors.
      reply.raw.once('close', () => logResponse(request, reply, observer));
      sendProblem(reply, request, refusalOfHead(request.raw) ?? error);
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, observer.unreadable),
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.setValidatorCompiler(checkInput);
  server.setSerializerCompiler(serializeWhenAsked);
  return server;
}

const compile = SerializerSelector()();

const serializeWhenAsked: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  let serialize: ReturnType<typeof compile> | undefined;
  return (answer) => {
    serialize ??= compile({ ...route, httpStatus });
    return serialize(answer);
  };
};
