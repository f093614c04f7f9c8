/** Decides who calls and whether they may call now, before a byte of the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../kernel/runtime/define-route.ts';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { OPERATOR_KEY_HEADER, type OperatorGate } from './operator-gate.ts';
import { type CallLimits, policyOf } from './rate-limit/call-limits.ts';
import { type NotePartner, requirePartner } from './rate-limit/partners.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for anonymous calls. */
    caller: Caller | undefined;
  }
}

/** The `onRequest` hook of a route. */
export type Admission = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
) => Promise<void> | undefined;

/** Gives each route its hook. The hook sets `request.caller` and counts the call under the route's rate limit. */
export function createAdmission(options: {
  readonly accessTokens: AccessTokens;
  readonly gate: OperatorGate;
  readonly limits: CallLimits;
  readonly notePartner: NotePartner;
}): (route: Route) => Admission {
  const { accessTokens, gate, limits, notePartner } = options;

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      request.caller = await authenticate(accessTokens, request.headers.authorization);
    } catch (error) {
      // Wrong tokens are counted too, so that nobody can guess at them without limit.
      limits.count('general', request, reply);
      // Another token would not help against other errors, such as a store that does not answer.
      const isAboutToken = error instanceof Rejection && error.kind === 'unauthenticated';
      if (isAboutToken) reply.header('www-authenticate', 'Bearer');
      throw error;
    }
  }

  return (route) => {
    const policy = route.limit === 'none' ? undefined : policyOf(route);
    const count = (request: FastifyRequest, reply: FastifyReply) => {
      if (policy !== undefined) limits.count(policy, request, reply);
    };
    const admit: Admission = (request, reply, done) => {
      if (route.auth === 'partner') requirePartner(request, reply);
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
    if (route.auth === 'operator' || policy === undefined) return admit;
    return (request, reply, done) => {
      const noting = notePartner(request, reply);
      if (noting === undefined) return admit(request, reply, done);
      return noting.then(() => admit(request, reply, () => undefined));
    };
  };
}
