/**
 * Admits operators by the key in `X-Operator-Key`. Every route with `auth: 'operator'` passes it; a route that shows operators more than
 * others passes it when such a key is sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../streams/rejections.ts';
import type { Operators } from '../auth/operators.ts';
import type { Caller } from './authenticate.ts';
import type { WrongKeys } from './rate-limit/wrong-keys.ts';

export const OPERATOR_KEY_HEADER = 'x-operator-key';
const CHALLENGE = 'ApiKey header="X-Operator-Key"';

export interface OperatorGate {
  /** Without operator keys, the operator routes do not exist. */
  readonly configured: boolean;
  /**
   * Throws `UNAUTHENTICATED`, or `RATE_LIMITED` after too many wrong keys from the caller's address. Calls without a key are
   * no guesses: a health check that forgets the header shuts nobody out.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Caller;
}

export function createOperatorGate(options: {
  readonly operators: Operators;
  readonly wrongKeys: WrongKeys;
}): OperatorGate {
  const { operators, wrongKeys } = options;
  return {
    configured: operators.configured,
    admit(request, reply) {
      const key = String(request.headers[OPERATOR_KEY_HEADER] ?? '');
      if (key !== '') {
        wrongKeys.admit(key, request, reply);
        const name = operators.verify(key);
        if (name !== undefined) {
          wrongKeys.wasRight(key, request);
          return { actor: `operator:${name}` };
        }
        wrongKeys.wasWrong(key, request, reply);
      }
      reply.header('www-authenticate', CHALLENGE);
      throw rejection('UNAUTHENTICATED', "This call needs an operator's key: X-Operator-Key: <key>.");
    },
  };
}
