// OPERATOR_KEYS: names that can stand in the log, hashes that can be of keys, and each only once.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../../../src/operations/config/configuration.ts';
import { configurationRefusal } from '../../../support/configuration-refusal.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const [ONE, OTHER] = [hash('one'), hash('other')];

const refusal = (text: string) => configurationRefusal({ OPERATOR_KEYS: text }).message;

describe('OPERATOR_KEYS', () => {
  test('is a list of names and hashes', () => {
    const { operatorKeys } = readConfiguration({
      OPERATOR_KEYS: `alice:${ONE}, on-call.2_b:${OTHER.toUpperCase()}`,
    });
    expect(operatorKeys).toEqual([
      { name: 'alice', sha256: ONE },
      { name: 'on-call.2_b', sha256: OTHER },
    ]);
  });

  test.each([
    ['no hash', 'alice'],
    ['an empty hash', 'alice:'],
    ['a hash that is too short', `alice:${ONE.slice(1)}`],
    ['a hash that is too long', `alice:${ONE}0`],
    ['a hash that is not hexadecimal', `alice:g${ONE.slice(1)}`],
    ['no name', `:${ONE}`],
    ['only a hash', ONE],
    ['a name with a blank', `a b:${ONE}`],
    ['a name that begins with a sign', `-a:${ONE}`],
    ['a name that could be taken for another', `älice:${ONE}`],
    ['a name that is too long', `${'a'.repeat(33)}:${ONE}`],
    ['a third part', `alice:${ONE}:x`],
    ['an empty entry', `alice:${ONE},`],
    ['a name twice', `alice:${ONE},Alice:${OTHER}`],
    ['a key twice', `alice:${ONE},bob:${ONE.toUpperCase()}`],
    ['the hash of nothing', `alice:${hash('')}`],
    ['the hash of an empty line', `alice:${hash('\n')}`],
  ])('is refused with %s', (_what, text) => {
    expect(refusal(text)).toContain('OPERATOR_KEYS');
  });

  test('is never shown, not even when it is refused: who wrote the key itself there is not to find it in a log', () => {
    const key = 'correct-horse-battery-staple';
    for (const text of [`alice:${key}`, `alice:${ONE},bob:${key}`]) {
      expect(refusal(text)).not.toContain(key);
      expect(refusal(text)).not.toContain(ONE);
    }
  });
});
