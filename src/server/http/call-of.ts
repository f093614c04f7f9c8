/** Reads from a request what commands and queries need to know of their caller. */
import type { FastifyRequest } from 'fastify';
import { type Call, type Route, takesIdempotencyKey } from '../../kernel/runtime/define-route.ts';
import { rejection } from '../../streams/rejections.ts';
import { widestNetworkOf } from './rate-limit/caller-keys.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Throws `VALIDATION_FAILED` for an Idempotency-Key that cannot be used. */
export function callOf(request: FastifyRequest, route: Route): Call {
  const { caller, partner } = request;
  const { origin, 'last-event-id': lastEventId } = request.headers;
  const base = {
    requestId: request.id,
    ...(partner === undefined ? { network: widestNetworkOf(request.ip) } : { partner: partner.name }),
    ...(origin === undefined ? {} : { origin }),
    ...(lastEventId === undefined ? {} : { lastEventId: String(lastEventId) }),
  };
  if (caller === undefined) return { actor: 'anonymous', ...base };
  const { 'idempotency-key': sentKey, 'if-match': ifMatch } = request.headers;
  const key = takesIdempotencyKey(route) ? sentKey : undefined;
  if (key !== undefined && (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))) {
    throw rejection('VALIDATION_FAILED', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
  }
  const { actor, tokenId, tokenExpiresAt } = caller;
  return {
    actor,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
    ...base,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
}
