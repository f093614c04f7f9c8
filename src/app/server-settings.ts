/** What the configuration says of the server, whatever it serves: who may call, how often, and how much is kept for callers. */

import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { systemClock } from '../kernel/runtime/clock.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { type PartnerDocument, partners } from '../projections/partners.ts';
import { createAllowedOrigins } from '../server/auth/allowed-origins.ts';
import { createHolderOf } from '../server/auth/named-keys.ts';
import { createOperators } from '../server/auth/operators.ts';
import { createPartnerUsage } from '../server/http/rate-limit/partner-usage.ts';
import type { PartnerKeys } from '../server/http/rate-limit/partners.ts';
import { type Partner, policiesWith, type Quotas } from '../server/http/rate-limit/policies.ts';
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

function createPartnerKeys(options: {
  readonly environment: readonly Partner[];
  readonly readModel: Pick<ReadModel, 'find'>;
  readonly now: () => Date;
}): PartnerKeys {
  const { environment, readModel, now } = options;
  return {
    ofEnvironment: createHolderOf(environment),
    async ofOperators(key) {
      const sha256 = createHash('sha256').update(key).digest('hex');
      const [found] = await readModel.find(partners, 'key', sha256, { limit: 1 });
      return found && validAt(found, sha256, now().toISOString());
    },
  };
}

/** Pure. Undefined for a key that is over at that time. */
export function validAt(
  { name, quotas, keys }: PartnerDocument,
  sha256: string,
  at: string,
): Partner | undefined {
  const key = keys.find((one) => one.sha256 === sha256);
  const isValid = key !== undefined && (key.endsAt === null || at < key.endsAt);
  return isValid ? { name, sha256, quotas: quotasOf(quotas) } : undefined;
}

function quotasOf(quotas: PartnerDocument['quotas']): Quotas {
  return Object.fromEntries(
    quotas.map(({ policy, calls, windowSeconds }) => [policy, { quota: calls, windowSeconds }]),
  );
}
