/** Guesses at keys are limited, and nobody is shut out by what is no guess. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { Rejection } from '../../../../../src/kernel/runtime/rejection.ts';
import { RATE_LIMIT_POLICIES } from '../../../../../src/server/http/rate-limit/policies.ts';
import { createWrongKeys, type WrongKeys } from '../../../../../src/server/http/rate-limit/wrong-keys.ts';

const MINUTE = 60_000;
const HOME = '203.0.113.1';
const ELSEWHERE = '203.0.113.2';
const from = (ip: string) => ({ ip }) as FastifyRequest;
const reply = () => ({ headers: () => undefined }) as unknown as FastifyReply;

let now = 1_000_000;
let keys: WrongKeys;

beforeEach(() => {
  now = 1_000_000;
  keys = createWrongKeys('operator', RATE_LIMIT_POLICIES, () => now);
});

/** What becomes of a call with the key: let in, refused as wrong, or refused unseen. */
function call(key: string, address = HOME): 'right' | 'wrong' | 'unseen' {
  try {
    keys.admit(key, from(address), reply());
    if (key.startsWith('right')) {
      keys.wasRight(key, from(address));
      return 'right';
    }
    keys.wasWrong(key, from(address), reply());
    return 'wrong';
  } catch (error) {
    if (error instanceof Rejection && error.code === 'RATE_LIMITED') return 'unseen';
    throw error;
  }
}

const guess = (count: number, address = HOME) =>
  Array.from({ length: count }, (_none, index) => call(`guess ${now} ${index}`, address));

describe('an address', () => {
  test('has ten guesses a minute, and a right one is not heard after them', () => {
    expect(guess(12)).toEqual([...Array.from({ length: 10 }, () => 'wrong'), 'unseen', 'unseen']);
    expect(call('right')).toBe('unseen');
    expect(call('right', ELSEWHERE)).toBe('right');
    now += MINUTE;
    expect(call('right')).toBe('right');
  });

  test('where a key was right goes on hearing it, whoever guesses there for however long', () => {
    expect(call('right')).toBe('right');
    for (let minutes = 0; minutes < 30; minutes += 1, now += MINUTE) {
      guess(20);
      expect(call('right')).toBe('right');
      expect(call('right, and another')).toBe('unseen');
    }
  });

  test('has one guess of a wrong key, however often that is repeated', () => {
    for (let calls = 0; calls < 10; calls += 1) expect(call('typing error')).toBe('wrong');
    expect(call('typing error')).toBe('unseen');
    expect(guess(9)).not.toContain('unseen');
    expect(guess(1)).toEqual(['unseen']);
    now += MINUTE;
    expect(call('typing error')).toBe('wrong');
  });

  test('forgets a key that was right and is so no longer', () => {
    expect(call('right')).toBe('right');
    keys.wasWrong('right', from(HOME), reply());
    guess(9);
    expect(call('right')).toBe('unseen');
  });
});

test('without policies nothing is limited', () => {
  keys = createWrongKeys('operator', undefined, () => now);
  expect(guess(100)).not.toContain('unseen');
});
