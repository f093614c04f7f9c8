/** What the configuration says of the server, whatever it serves: who may call, how often, and how much is kept for callers. */
import type { FastifyBaseLogger } from 'fastify';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { createAllowedOrigins } from '../server/auth/allowed-origins.ts';
import { createOperators } from '../server/auth/operators.ts';
import { createPartnerUsage } from '../server/http/rate-limit/partner-usage.ts';
import { policiesWith } from '../server/http/rate-limit/policies.ts';
import { createPartnerKeys } from './partner-keys.ts';
import { listeningOrRefused } from './start-refusals.ts';

/** Names of this service in the access tokens that it issues. */
const TOKEN_AUDIENCE = 'levy';
const TOKEN_ISSUER = 'levy';

export function serverSettings(configuration: Configuration) {
  return {
    operators: createOperators(configuration.operatorKeys),
    console: configuration.console,
    rateLimits: configuration.rateLimits && policiesWith(configuration.rateLimits),
    connections: {
      maximum: configuration.connectionsMax,
      requestTimeout: configuration.requestTimeoutMs,
      keepAliveTimeout: configuration.keepAliveTimeoutMs,
      answerTimeout: configuration.answerTimeoutMs,
      answersBuffer: configuration.answersBuffer,
    },
    streams: {
      maximum: configuration.eventsSubscribersMax,
      perAddress: configuration.eventsSubscribersPerAddress,
    },
    isAllowedOrigin: createAllowedOrigins(configuration.allowedOrigins),
    trustedProxies: configuration.trustedProxies,
  };
}

/** Whose keys partners' calls are counted by, and what they have called. */
export function partnerSettings(configuration: Configuration, readModel: Pick<ReadModel, 'find'>) {
  const { now } = systemClock;
  return {
    partnersOfEnvironment: configuration.partnerKeys,
    partnerKeys: createPartnerKeys({ environment: configuration.partnerKeys, readModel, now }),
    partnerUsage: createPartnerUsage(now),
  };
}

/** What the service's own access tokens say, and which others it takes. */
export function tokenSettings(configuration: Configuration, log: FastifyBaseLogger) {
  return {
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    lifetimeSeconds: configuration.jwtLifetimeSeconds,
    acceptedIssuers: [...configuration.acceptedIssuers],
    onKeysUnavailable: (issuer: string, reason: string) =>
      log.warn({ issuer, reason }, 'issuer keys unavailable'),
  };
}

/** Resolves with `http://host:port`. Rejects with `StartRefused` where the port cannot be had. */
export function listening(
  { host, port }: Pick<Configuration, 'host' | 'port'>,
  server: { listen(where: { readonly host: string; readonly port: number }): Promise<string> },
): Promise<string> {
  const where = { what: 'The service', host, port, hostName: 'HOST', portName: 'PORT' };
  return listeningOrRefused(where, () => server.listen({ host, port }));
}
