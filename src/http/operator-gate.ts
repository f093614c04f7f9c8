/**
 * Lets operators in by the key in `X-Operator-Key`, and nobody else. Routes of `auth: 'operator'` pass it by themselves;
 * a route that shows operators more than others asks it where such a key is sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operators } from '../auth/operators.ts';
import { rejection } from '../streams/rejections.ts';
import type { Caller } from './authenticate.ts';

export const OPERATOR_KEY_HEADER = 'x-operator-key';
const CHALLENGE = 'ApiKey header="X-Operator-Key"';

export interface OperatorGate {
  /** While it is not, the routes that are operators' alone do not exist. */
  readonly configured: boolean;
  /**
   * Throws `UNAUTHENTICATED`, or `RATE_LIMITED` where too many wrong keys came from the caller's address. Right ones
   * are not counted, so nobody is locked out by what others send from elsewhere.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Caller;
}

export function createOperatorGate(options: {
  readonly operators: Operators;
  /** Counts a failure (`take`), or looks whether one is left (`peek`). Throws `RATE_LIMITED` where none is. */
  readonly limitFailures: (request: FastifyRequest, reply: FastifyReply, how: 'take' | 'peek') => void;
}): OperatorGate {
  const { operators, limitFailures } = options;
  return {
    configured: operators.configured,
    admit(request, reply) {
      // Before the key is looked at: else whoever has no failure left could go on guessing until a key is let in.
      limitFailures(request, reply, 'peek');
      const key = request.headers[OPERATOR_KEY_HEADER];
      const name = typeof key === 'string' ? operators.verify(key) : undefined;
      if (name !== undefined) return { actor: `operator:${name}` };
      limitFailures(request, reply, 'take');
      reply.header('www-authenticate', CHALLENGE);
      throw rejection('UNAUTHENTICATED', "This call needs an operator's key: X-Operator-Key: <key>.");
    },
  };
}
