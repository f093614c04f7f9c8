/** Puts the server together: one route for each command and query. */

import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../../kernel/ports/tracing.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { AnyCommand, CommandRunner } from '../../kernel/runtime/define-command.ts';
import type { AnyQuery } from '../../kernel/runtime/define-query.ts';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { IsAllowedOrigin } from '../auth/allowed-origins.ts';
import type { Operators } from '../auth/operators.ts';
import { addCommand } from './add-command.ts';
import { addQuery } from './add-query.ts';
import { createAdmission } from './admission.ts';
import { logAnswers } from './answer-log.ts';
import { isConsoleBuilt, registerConsolePage } from './console-page.ts';
import { registerCors } from './cors.ts';
import { type DocsPage, publicPathOf, registerDocsPage } from './docs/docs-page.ts';
import { createFastifyServer, type FastifyServerOptions, type TypedServer } from './fastify-server.ts';
import { readJsonBodies } from './json-bodies.ts';
import { createOperatorGate } from './operator-gate.ts';
import { createCallLimits } from './rate-limit/call-limits.ts';
import type { PartnerUsage } from './rate-limit/partner-usage.ts';
import { createNotePartner, type PartnerKeys } from './rate-limit/partners.ts';
import type { RateLimitPolicies } from './rate-limit/policies.ts';
import { createWrongKeys } from './rate-limit/wrong-keys.ts';
import type { ReachPosition } from './read-your-writes.ts';
import { refuse } from './refuse.ts';
import { createRequestPlaces } from './request-places.ts';
import { adaptAnswers, guardRequests } from './request-rules.ts';
import { traceRequests } from './request-spans.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { createStreams, type StreamLimits } from './streams.ts';
import { registerUploads } from './upload.ts';
import { createUploadPlaces } from './upload-places.ts';

export interface ServerOptions<Services> extends FastifyServerOptions {
  /** Passed to commands and queries. */
  readonly services: Services;
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  readonly operators: Operators;
  readonly partnerKeys: PartnerKeys;
  readonly partnerUsage: Pick<PartnerUsage, 'begun' | 'watchQuotas'>;
  readonly docs: DocsPage;
  /** Whether `/console/` is served, if it was built. */
  readonly console: boolean;
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
  readonly reachPosition: ReachPosition;
  readonly isClosing: () => boolean;
}

export async function createServer<Services>(options: ServerOptions<Services>): Promise<TypedServer> {
  const server = createFastifyServer(options);
  const gates = createGates(options);
  decorate(server, options);
  readJsonBodies(server);
  guardRequests(server, options.isClosing);
  const table = createRouteTable(server);
  registerCors(server, options.isAllowedOrigin, table);
  server.setErrorHandler((error, request, reply) => refuse(reply, request, error));
  refuseUnknownPaths(server, table);
  adaptAnswers(server, options.isClosing);
  addQueries(server, options, gates);
  await addCommands(server, options, gates);
  const hasConsole = options.console && isConsoleBuilt();
  await registerDocsPage(server, options.docs, hasConsole);
  if (hasConsole) await registerConsolePage(server);
  leadFromTheRoot(server, hasConsole ? 'console' : 'docs');
  return server;
}

/** Browsers get a page, programs the description of the API. */
function leadFromTheRoot(server: FastifyInstance, page: 'console' | 'docs'): void {
  server.get('/', ({ headers: { accept = '' } }, reply) =>
    // Relative, so that it holds under whatever path a proxy serves this.
    reply.header('vary', 'Accept').redirect(accept.includes('text/html') ? `./${page}/` : './openapi.json'),
  );
}

/** What the hooks know of a request, in the order in which they run. */
function decorate<Services>(server: TypedServer, { docs, tracing, observer }: ServerOptions<Services>): void {
  server.decorateRequest('caller', undefined);
  server.decorate('publicPath', publicPathOf(docs));
  if (tracing !== undefined) traceRequests(server, tracing);
  logAnswers(server, observer);
  server.decorateRequest('partner', undefined);
}

/** Who may call, and how often. */
function createGates<Services>(options: ServerOptions<Services>) {
  const { accessTokens, operators, partnerKeys, partnerUsage, rateLimits } = options;
  const now = () => options.clock.now().getTime();
  const limits = createCallLimits(rateLimits, now);
  partnerUsage.watchQuotas(limits.nextOf);
  const gate = createOperatorGate({ operators, wrongKeys: createWrongKeys('operator', rateLimits, now) });
  const notePartner = createNotePartner({
    keys: partnerKeys,
    noted: partnerUsage.begun,
    wrongKeys: createWrongKeys('partner', rateLimits, now),
  });
  return {
    limits,
    requestPlaces: createRequestPlaces(),
    admission: createAdmission({ accessTokens, gate, limits, notePartner }),
    /** Operators' routes are there only where an operator has a key. */
    exists: ({ route }: { readonly route: Route }) => route.auth !== 'operator' || gate.configured,
  };
}

type Gates = ReturnType<typeof createGates>;

function addQueries<Services>(
  server: TypedServer,
  options: ServerOptions<Services>,
  { admission, exists, requestPlaces }: Gates,
): void {
  const { services, reachPosition } = options;
  const streams = createStreams(options.streams);
  for (const query of options.queries.filter(exists)) {
    addQuery(server, query, {
      services,
      reachPosition,
      streams,
      requestPlaces,
      admission: admission(query.route),
    });
  }
}

async function addCommands<Services>(
  server: TypedServer,
  { commands, runner }: ServerOptions<Services>,
  { admission, exists, limits, requestPlaces }: Gates,
): Promise<void> {
  const uploadPlaces = createUploadPlaces();
  const add = (scope: TypedServer, command: AnyCommand<Services>) =>
    addCommand(scope, command, {
      runner,
      limits,
      requestPlaces,
      uploadPlaces,
      admission: admission(command.route),
    });
  const existing = commands.filter(exists);
  for (const command of existing) if (command.route.upload === undefined) add(server, command);
  // In a scope of their own, so that other routes do not pass the form parser's hooks.
  await server.register(async (scope) => {
    await registerUploads(scope);
    for (const command of existing) if (command.route.upload !== undefined) add(scope, command);
  });
}

function refuseUnknownPaths(server: FastifyInstance, { methodsOf }: RouteTable): void {
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
