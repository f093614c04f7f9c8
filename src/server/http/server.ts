/** Builds the HTTP server, with one route for each command and query. */

import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../../kernel/ports/tracing.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { AnyCommand, CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { IsAllowedOrigin } from '../auth/allowed-origins.ts';
import { createHolderOf, type NamedKey } from '../auth/key-holders.ts';
import type { WaitForPosition } from '../delivery/wait-for-position.ts';
import { addCommand, addQuery } from './add-routes.ts';
import { createAdmission } from './admission.ts';
import { isConsoleBuilt, type LinkPreview, registerConsolePage } from './console-page.ts';
import { registerCors } from './cors.ts';
import { publicPathOf, registerDocsPage } from './docs/docs-page.ts';
import { createFastifyServer, type FastifyServerOptions, type TypedServer } from './fastify-server.ts';
import { readJsonBodies } from './json-bodies.ts';
import { type CallLimits, createCallLimits } from './rate-limit/call-limits.ts';
import { createKeyGate } from './rate-limit/key-gate.ts';
import type { Partner, RateLimitPolicies } from './rate-limit/policies.ts';
import { createRequestConcurrency } from './request-concurrency.ts';
import { adaptAnswers, guardRequests } from './request-rules.ts';
import { traceRequests } from './request-spans.ts';
import { logResponses } from './response-log.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { sendProblem } from './send-problem.ts';
import { createStreams, type StreamLimits } from './streams.ts';
import { createUploadPlaces, registerUploads } from './upload.ts';

export interface ServerOptions<Services> extends FastifyServerOptions {
  /** Passed to commands and queries. */
  readonly services: Services;
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  /** If empty, the operators' routes do not exist. */
  readonly operatorKeys: readonly NamedKey[];
  /**
   * Finds the partner of a key. Reads it on each call, so that a key that another process created or ended takes effect
   * immediately.
   */
  readonly partnerOf: (key: string) => Promise<Partner | undefined>;
  readonly partnerUsage: {
    /** Called when a call with a valid key starts. */
    begun(partner: Partner): void;
    /** Sets the function that returns the result of a partner's next call under each policy. */
    watchQuotas(nextOf: CallLimits['nextOf']): void;
  };
  readonly publicUrl: () => string;
  /** Serves `/console/`, if it was built. */
  readonly console: boolean;
  /** Preview of a token, by its mint address, for links to its page in the console. */
  readonly previewOf: (mint: string) => Promise<LinkPreview | undefined>;
  readonly runner: CommandRunner<Services>;
  readonly commands: readonly AnyCommand<Services>[];
  readonly queries: readonly AnyQuery<Services>[];
  /** Absent without tracing. */
  readonly tracing?: Tracing | undefined;
  /** Absent without rate limits. */
  readonly rateLimits?: RateLimitPolicies | undefined;
  readonly streams: StreamLimits;
  /** Web origins that may call from a browser. */
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly reachPosition: WaitForPosition;
  readonly isClosing: () => boolean;
}

export async function createServer<Services>(options: ServerOptions<Services>): Promise<TypedServer> {
  const server = createFastifyServer(options);
  decorate(server, options);
  readJsonBodies(server);
  guardRequests(server, options.isClosing);
  const table = createRouteTable(server);
  registerCors(server, options.isAllowedOrigin, table);
  server.setErrorHandler((error, request, reply) => sendProblem(reply, request, error));
  refuseUnknownPaths(server, table);
  adaptAnswers(server, options.isClosing);
  await addRoutes(server, options, createGates(options));
  const hasConsole = options.console && isConsoleBuilt();
  await registerDocsPage(server, options.publicUrl, hasConsole);
  if (hasConsole) await registerConsolePage(server, options.previewOf);
  leadFromTheRoot(server, hasConsole ? 'console' : 'docs');
  return server;
}

/** Redirects browsers to a page, programs to the API description. */
function leadFromTheRoot(server: FastifyInstance, page: 'console' | 'docs'): void {
  server.get('/', ({ headers: { accept = '' } }, reply) =>
    // Relative, so that it works under any path of a proxy.
    reply.header('vary', 'Accept').redirect(accept.includes('text/html') ? `./${page}/` : './openapi.json'),
  );
}

/** Registers the hooks that record facts of a request, in the order in which they run. */
function decorate<Services>(
  server: TypedServer,
  { publicUrl, tracing, observer }: ServerOptions<Services>,
): void {
  server.decorateRequest('caller', undefined);
  server.decorate('publicPath', publicPathOf(publicUrl()));
  if (tracing !== undefined) traceRequests(server, tracing);
  logResponses(server, observer);
  server.decorateRequest('partner', undefined);
}

/** Builds authentication and rate limits. */
function createGates<Services>(options: ServerOptions<Services>) {
  const { accessTokens, operatorKeys, partnerOf, partnerUsage, rateLimits: policies } = options;
  const now = () => options.clock.now().getTime();
  const limits = createCallLimits(policies, now);
  partnerUsage.watchQuotas(limits.nextOf);
  return {
    limits,
    requestPlaces: createRequestConcurrency(),
    admission: createAdmission({
      accessTokens,
      operators: createKeyGate({ policy: 'operator', policies, now, holderOf: createHolderOf(operatorKeys) }),
      partners: createKeyGate({ policy: 'partner', policies, now, holderOf: partnerOf }),
      onAdmitted: partnerUsage.begun,
      limits,
    }),
    exists: ({ route }: { readonly route: Route }) => route.auth !== 'operator' || operatorKeys.length > 0,
  };
}

/** One route for each command and query. */
async function addRoutes<Services>(
  server: TypedServer,
  options: ServerOptions<Services>,
  { exists, ...gates }: ReturnType<typeof createGates<Services>>,
): Promise<void> {
  const streams = createStreams(options.streams);
  const parts = { ...options, ...gates, streams, uploadPlaces: createUploadPlaces() };
  for (const query of options.queries.filter(exists)) addQuery(server, query, parts);
  const existing = options.commands.filter(exists);
  for (const command of existing) if (command.route.upload === undefined) addCommand(server, command, parts);
  // A separate scope, so that other routes do not run the form parser's hooks.
  await server.register(async (scope) => {
    await registerUploads(scope);
    for (const command of existing) if (command.route.upload !== undefined) addCommand(scope, command, parts);
  });
}

function refuseUnknownPaths(server: FastifyInstance, { methodsOf }: RouteTable): void {
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsOf(path);
    // If the method is listed but did not match, a path parameter is invalid; OPTIONS matches all paths that pages may
    // call.
    if (methods.length === 0 || [...methods, 'OPTIONS'].includes(request.method)) {
      return sendProblem(
        reply,
        request,
        rejection('ROUTE_NOT_FOUND', `Route not found: ${request.method} ${path}.`),
      );
    }
    reply.header('allow', methods.join(', '));
    const answered = `${path} supports ${methods.join(', ')}, not ${request.method}.`;
    return sendProblem(reply, request, rejection('METHOD_NOT_ALLOWED', answered));
  });
}
