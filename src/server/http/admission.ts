/** Identifies the caller and applies rate limits, before a byte of the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { NamedKey } from '../auth/key-holders.ts';
import { type CallLimits, policyOf } from './rate-limit/call-limits.ts';
import type { KeyGate } from './rate-limit/key-gate.ts';
import type { Partner } from './rate-limit/policies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for anonymous calls. */
    caller: Caller | undefined;
    /** Undefined for calls without a partner's key. */
    partner: Partner | undefined;
  }
}

/** The `onRequest` hook of a route. */
export type Admission = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
) => Promise<void> | undefined;

/**
 * Creates the hook of each route, which sets `request.caller` and `request.partner` and counts the call under the
 * route's rate limit. Operators are not counted. A launchpad's backend calls for many creators from one address, so its
 * calls are counted by partner instead.
 */
export function createAdmission(options: {
  readonly accessTokens: AccessTokens;
  readonly operators: KeyGate<NamedKey>;
  readonly partners: KeyGate<Partner>;
  /** Called with the partner of each valid key. */
  readonly onAdmitted: (partner: Partner) => void;
  readonly limits: CallLimits;
}): (route: Route) => Admission {
  const { accessTokens, operators, partners, onAdmitted, limits } = options;

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      request.caller = await authenticate(accessTokens, request.headers.authorization);
    } catch (error) {
      // Invalid tokens are counted too, to limit guesses.
      limits.count('general', request, reply);
      // A new token does not help against other errors, such as a failed store.
      const isAboutToken = error instanceof Rejection && error.kind === 'unauthenticated';
      if (isAboutToken) reply.header('www-authenticate', 'Bearer');
      throw error;
    }
  }

  return (route) => {
    const { auth } = route;
    const policy = route.limit === 'none' ? undefined : policyOf(route);
    const isForOperators = auth === 'operator' || route.operatorsSeeMore === true;
    const isForPartners = auth !== 'operator' && policy !== undefined;
    const needsToken = ({ headers }: FastifyRequest) =>
      auth === 'wallet' || (auth === 'optional' && headers.authorization !== undefined);
    const count = (request: FastifyRequest, reply: FastifyReply) => {
      if (policy !== undefined) limits.count(policy, request, reply);
    };

    async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (isForPartners && partners.isSent(request)) {
        const partner = await partners.find(request, reply);
        request.partner = partner;
        onAdmitted(partner);
      }
      if (auth === 'partner' && request.partner === undefined) throw partners.refusal(reply);
      if (isForOperators && operators.isSent(request)) {
        const { name } = await operators.find(request, reply);
        request.caller = { actor: `operator:${name}` };
        return;
      }
      if (auth === 'operator') throw operators.refusal(reply);
      if (needsToken(request)) await signIn(request, reply);
      count(request, reply);
    }

    return (request, reply, done) => {
      const isAnonymous = (auth === 'none' || auth === 'optional') && !needsToken(request);
      if (!isAnonymous || partners.isSent(request) || operators.isSent(request))
        return identify(request, reply);
      count(request, reply);
      // Most calls need no asynchronous step.
      done();
      return undefined;
    };
  };
}

interface Caller {
  /** Name of the caller in events: the wallet's address, or `operator:<name>`. */
  readonly actor: string;
  /** Wallet that the access token proves, if one was sent. */
  readonly wallet?: string;
  readonly tokenId?: string;
  readonly tokenExpiresAt?: string;
}

/** Throws `UNAUTHENTICATED` or `TOKEN_EXPIRED`. */
async function authenticate(accessTokens: AccessTokens, authorization: string | undefined): Promise<Caller> {
  const token = /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw rejection('UNAUTHENTICATED', 'This call needs an access token: Authorization: Bearer <token>.');
  }
  const verdict = await accessTokens.verify(token);
  if (verdict.ok) {
    const { wallet, jti: tokenId, expiresAt: tokenExpiresAt } = verdict;
    return { actor: wallet, wallet, tokenId, tokenExpiresAt };
  }
  throw verdict.code === 'TOKEN_EXPIRED'
    ? rejection('TOKEN_EXPIRED', 'The access token has expired; sign in again.')
    : rejection('UNAUTHENTICATED', 'The access token is not valid; sign in again.');
}
