/** Guesses at keys are limited, and nobody is shut out by what is no guess. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { Rejection } from '../../../../../src/kernel/runtime/rejection.ts';
import type { NamedKey } from '../../../../../src/server/auth/key-holders.ts';
import { createKeyGate, type KeyGate } from '../../../../../src/server/http/rate-limit/key-gate.ts';
import {
  RATE_LIMIT_POLICIES,
  type RateLimitPolicies,
} from '../../../../../src/server/http/rate-limit/policies.ts';

const MINUTE = 60_000;
const HOME = '203.0.113.1';
const ELSEWHERE = '203.0.113.2';
const reply = () => ({ headers: () => undefined, header: () => undefined }) as unknown as FastifyReply;

let now = 1_000_000;
let gate: KeyGate<NamedKey>;
/** Keys that were right and are so no longer. */
let ended: string[] = [];

const gateWith = (policies: RateLimitPolicies | undefined) =>
  createKeyGate({
    policy: 'operator',
    policies,
    now: () => now,
    holderOf: (key) =>
      key.startsWith('right') && !ended.includes(key) ? { name: 'ann', sha256: '' } : undefined,
  });

beforeEach(() => {
  now = 1_000_000;
  ended = [];
  gate = gateWith(RATE_LIMIT_POLICIES);
});

/** Outcome of a call with the key: let in, refused as wrong, or refused unseen. */
async function call(key: string, address = HOME): Promise<'right' | 'wrong' | 'unseen'> {
  const request = { ip: address, headers: { 'x-operator-key': key } } as unknown as FastifyRequest;
  try {
    await gate.find(request, reply());
    return 'right';
  } catch (error) {
    if (error instanceof Rejection && error.code === 'UNAUTHENTICATED') return 'wrong';
    if (error instanceof Rejection && error.code === 'RATE_LIMITED') return 'unseen';
    throw error;
  }
}

async function guess(count: number, address = HOME): Promise<string[]> {
  const outcomes: string[] = [];
  for (let index = 0; index < count; index += 1) outcomes.push(await call(`guess ${now} ${index}`, address));
  return outcomes;
}

describe('an address', () => {
  test('has ten guesses a minute, and a right one is not heard after them', async () => {
    expect(await guess(12)).toEqual([...Array.from({ length: 10 }, () => 'wrong'), 'unseen', 'unseen']);
    expect(await call('right')).toBe('unseen');
    expect(await call('right', ELSEWHERE)).toBe('right');
    now += MINUTE;
    expect(await call('right')).toBe('right');
  });

  test('where a key was right goes on hearing it, whoever guesses there for however long', async () => {
    expect(await call('right')).toBe('right');
    for (let minutes = 0; minutes < 30; minutes += 1, now += MINUTE) {
      await guess(20);
      expect(await call('right')).toBe('right');
      expect(await call('right, and another')).toBe('unseen');
    }
  });

  test('has one guess of a wrong key, however often that is repeated', async () => {
    for (let calls = 0; calls < 10; calls += 1) expect(await call('typing error')).toBe('wrong');
    expect(await call('typing error')).toBe('unseen');
    expect(await guess(9)).not.toContain('unseen');
    expect(await guess(1)).toEqual(['unseen']);
    now += MINUTE;
    expect(await call('typing error')).toBe('wrong');
  });

  test('forgets a key that was right and is so no longer', async () => {
    expect(await call('right')).toBe('right');
    ended.push('right');
    expect(await call('right')).toBe('wrong');
    await guess(9);
    expect(await call('right')).toBe('unseen');
  });
});

test('without policies nothing is limited', async () => {
  gate = gateWith(undefined);
  expect(await guess(100)).not.toContain('unseen');
});
