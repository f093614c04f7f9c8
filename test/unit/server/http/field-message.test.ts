/** What is wrong with a value is told so that its sender can correct it. */
import { type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { describe, expect, test } from 'vitest';
import { SettingsInput } from '../../../../src/commands/settings-input.ts';
import { Uuid } from '../../../../src/kernel/runtime/ids.ts';
import { fieldMessage } from '../../../../src/server/http/input-schemas.ts';
import { Amount, Base64 } from '../../../../src/streams/value-types.ts';

function told(schema: TSchema, value: unknown): string | undefined {
  const error = TypeCompiler.Compile(schema).Errors(value).First();
  return error === undefined ? undefined : fieldMessage(error);
}

describe('a value that is not allowed', () => {
  test.each<[string, TSchema, unknown, string]>([
    [
      'an interval',
      SettingsInput.properties.distributionInterval,
      '7m',
      'must be one of "5m", "10m", "15m", "30m", "1h", "6h", "12h" or "24h"',
    ],
    [
      'a group',
      SettingsInput.properties.telegramGroupId,
      'https://t.me/x',
      'must be string or null: Id or name of the group, such as `-1001234567890` or `@name`. Null removes it, and so does "", because some typed clients cannot send null.',
    ],
    ['one of one', Type.Union([Type.Literal('a')]), 'b', 'must be "a"'],
    ['or null', Type.Union([Type.Literal(1), Type.Null()]), 2, 'must be one of 1 or null'],
    ['a literal', Type.Literal(true), false, 'must be true'],
    ['an amount', Type.String(Amount), '01', 'must be a whole number as digits, without a leading zero'],
    ['an id', Uuid, '8D5CA3D6-C1EB-5356-A7CB-4E4C9A88E520', 'must be a UUID in lower case'],
    ['bytes', Base64, '!', 'must be base64'],
    ['another pattern', Type.String({ pattern: '^a$', examples: ['a'] }), 'b', 'must be written as "a"'],
    ['a pattern alone', Type.String({ pattern: '^a$' }), 'b', "Expected string to match '^a$'"],
    ['anything else', Type.Integer(), 'b', 'Expected integer'],
  ])('is told with what is: %s', (_what, schema, value, message) => {
    expect(told(schema, value)).toBe(message);
  });
});
