/**
 * Identifies callers by a secret key in a header, and limits guesses at such keys. A guess is a key that was not tried
 * before. A program that repeats one wrong key gains no information, so its calls are counted separately and do not lock out
 * other callers at its address. Calls without a key are not guesses.
 *
 * After too many guesses from an address, valid keys are refused there too until the policy's window ends. Otherwise a
 * program could guess until a key is valid. Keys that were used at the address before are exempt.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CountedKey } from '../../../kernel/runtime/concurrency-limit.ts';
import type { Rejection } from '../../../kernel/runtime/rejection.ts';
import { rejection } from '../../../streams/rejections.ts';
import type { NamedKey } from '../../auth/key-holders.ts';
import { requireAllowed } from './call-limits.ts';
import { networkOf, networksOf } from './caller-keys.ts';
import type { RateLimitPolicies } from './policies.ts';
import { createRateLimiter } from './rate-limiter.ts';

const CACHED_KEYS = 1_000;

export type KeyGate<Holder extends NamedKey> = ReturnType<typeof createKeyGate<Holder>>;

/** Without policies, nothing is limited. `now` in Unix milliseconds. */
export function createKeyGate<Holder extends NamedKey>(options: {
  readonly policy: 'operator' | 'partner';
  readonly policies: RateLimitPolicies | undefined;
  readonly now: () => number;
  readonly holderOf: (key: string) => Holder | undefined | Promise<Holder | undefined>;
}) {
  const { policy, policies, now, holderOf } = options;
  const name = policy === 'operator' ? 'X-Operator-Key' : 'X-Partner-Key';
  const header = name.toLowerCase();
  const limiter = policies && createRateLimiter({ policies, now });
  const used = new LRUCache<string, true>({ max: CACHED_KEYS });

  function countWrongKey(counted: CountedKey, request: FastifyRequest, reply: FastifyReply): void {
    used.delete(counted.name);
    if (limiter === undefined || policies === undefined) return;
    const isNew = limiter.peek(policy, [counted]).remaining === policies[policy].quota - 1;
    const result = limiter.take(policy, isNew ? [counted, ...networksOf(request.ip)] : [counted]);
    requireAllowed(policy, reply, result);
  }

  /** Identical for a wrong and a missing key, so that a response does not reveal what a key gives access to. */
  function refusal(reply: FastifyReply): Rejection {
    reply.header('www-authenticate', `ApiKey header="${name}"`);
    return rejection(
      'UNAUTHENTICATED',
      `${name} must contain a valid ${policy} key; omit the header if the call needs none.`,
    );
  }

  return {
    isSent: ({ headers }: FastifyRequest) => headers[header] !== undefined,
    refusal,
    /**
     * Finds the holder of the sent key. Rejects with `UNAUTHENTICATED` for a wrong key, and with `RATE_LIMITED` after
     * too many wrong keys from the caller's address.
     */
    async find(request: FastifyRequest, reply: FastifyReply): Promise<Holder> {
      const key = String(request.headers[header]);
      if (key === '') throw refusal(reply);
      const keyThere = keyAt(key, request);
      const counts = used.has(keyThere.name) ? [keyThere] : [keyThere, ...networksOf(request.ip)];
      const result = limiter?.peek(policy, counts);
      if (result?.allowed === false) requireAllowed(policy, reply, result);
      const holder = await holderOf(key);
      if (holder === undefined) {
        countWrongKey(keyThere, request, reply);
        throw refusal(reply);
      }
      used.set(keyThere.name, true);
      return holder;
    },
  };
}

/** Name of a key at an address. It contains a digest, so that keys themselves do not stay in memory. */
function keyAt(key: string, { ip }: FastifyRequest): CountedKey {
  const digest = createHash('sha256').update(key).digest('base64url');
  return { name: `${networkOf(ip)} ${digest}`, times: 1 };
}
