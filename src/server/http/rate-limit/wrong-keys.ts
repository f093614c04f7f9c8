/**
 * Limits guesses at secret keys. A guess is a key that was not tried before: a program that repeats one wrong key learns
 * nothing, so it shuts out only itself, and never the others at its address. Calls without a key are no guesses.
 *
 * While somebody guesses, a right key is refused at its address too, or guessing would go on until one is right: until the
 * policy's window ends, and not where the key was used before. There, only the length of the key holds off guesses.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CountedKey } from '../../../kernel/runtime/places.ts';
import { networkOf, networksOf } from './caller-keys.ts';
import { limited } from './limited.ts';
import type { RateLimitPolicies } from './policies.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRateLimiter } from './rate-limiter.ts';

const KEYS_REMEMBERED = 1_000;

export interface WrongKeys {
  /** To be called before the key is compared. Throws `RATE_LIMITED`. */
  admit(key: string, request: FastifyRequest, reply: FastifyReply): void;
  /** The key was right: it is not refused for others' wrong keys at this address from now on. */
  wasRight(key: string, request: FastifyRequest): void;
  /** Counts a wrong key. Throws `RATE_LIMITED`. */
  wasWrong(key: string, request: FastifyRequest, reply: FastifyReply): void;
}

/** Without policies nothing is limited. `now` in Unix milliseconds. */
export function createWrongKeys(
  policy: 'operator' | 'partner',
  policies: RateLimitPolicies | undefined,
  now: () => number,
): WrongKeys {
  if (policies === undefined) return { admit() {}, wasRight() {}, wasWrong() {} };
  const limiter = createRateLimiter({ policies, now });
  const used = new LRUCache<string, true>({ max: KEYS_REMEMBERED });

  return {
    admit(key, request, reply) {
      const keyThere = keyAt(key, request);
      const counts = used.has(keyThere.name) ? [keyThere] : [keyThere, ...networksOf(request.ip)];
      const result = limiter.peek(policy, counts);
      if (result.allowed) return;
      reply.headers(rateLimitHeaders(result));
      throw limited(policy, reply, result);
    },
    wasRight(key, request) {
      used.set(keyAt(key, request).name, true);
    },
    wasWrong(key, request, reply) {
      const keyThere = keyAt(key, request);
      used.delete(keyThere.name);
      const isNew = limiter.peek(policy, [keyThere]).remaining === policies[policy].quota - 1;
      const result = limiter.take(policy, isNew ? [keyThere, ...networksOf(request.ip)] : [keyThere]);
      reply.headers(rateLimitHeaders(result));
      if (!result.allowed) throw limited(policy, reply, result);
    },
  };
}

/** The key at this address. Keys themselves do not stay in memory. */
function keyAt(key: string, { ip }: FastifyRequest): CountedKey {
  const digest = createHash('sha256').update(key).digest('base64url');
  return { name: `${networkOf(ip)} ${digest}`, times: 1 };
}
