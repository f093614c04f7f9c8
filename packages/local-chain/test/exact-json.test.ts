// Whole numbers beyond 2^53 keep every digit, and nothing else is touched.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../src/exact-json.ts';

const SEED = 20_260_102;

describe('exact JSON', () => {
  test('gives large whole numbers as their digits', () => {
    expect(
      parseExactJson('{"lamports": 18446744073709551615, "all":[9007199254740993,123456789012345]}'),
    ).toEqual({
      lamports: '18446744073709551615',
      all: ['9007199254740993', 123_456_789_012_345],
    });
  });

  test('leaves digits in strings and names alone, whatever is escaped around them', () => {
    const text =
      '{"12345678901234567890":"\\\\\\" 12345678901234567890","b":"\\\\","c":12345678901234567890}';
    expect(parseExactJson(text)).toEqual({
      '12345678901234567890': '\\" 12345678901234567890',
      b: '\\',
      c: '12345678901234567890',
    });
  });

  test('is JSON.parse for everything without large numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const large = /(?<![\d."e+-])\d{16,}(?![\d.e"])/.test(text);
        fc.pre(!large);
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  test('reads an account of the largest size', () => {
    const data = Buffer.alloc(10 * 1_024 * 1_024, 7).toString('base64');
    expect(parseExactJson(`{"data":["${data}","base64"]}`)).toEqual({ data: [data, 'base64'] });
  });

  test.each(['', '{', '[1,]', '{"a":01}', '"', '12345678901234567890x', "{'a':1}"])('refuses %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
