/**
 * Admits operators by the key in `X-Operator-Key`. Every route with `auth: 'operator'` passes it; a route that shows operators more than
 * others passes it when such a key is sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operators } from '../auth/operators.ts';
import { rejection } from '../streams/rejections.ts';
import type { Caller } from './authenticate.ts';
import type { LimitFailures } from './rate-limit/call-limits.ts';

export const OPERATOR_KEY_HEADER = 'x-operator-key';
const CHALLENGE = 'ApiKey header="X-Operator-Key"';

export interface OperatorGate {
  /** Without operator keys, the operator routes do not exist. */
  readonly configured: boolean;
  /**
   * Throws `UNAUTHENTICATED`, or `RATE_LIMITED` after too many wrong keys from the caller's address. Only wrong keys
   * count, so calls from other addresses lock nobody out.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Caller;
}

export function createOperatorGate(options: {
  readonly operators: Operators;
  readonly limitFailures: LimitFailures;
}): OperatorGate {
  const { operators, limitFailures } = options;
  return {
    configured: operators.configured,
    admit(request, reply) {
      // Before the key is checked, or a caller over the limit could go on guessing until a key is right.
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
