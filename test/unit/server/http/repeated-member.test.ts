/** A JSON body that names a member twice is found, whatever stands around it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatedMember } from '../../../../src/server/http/repeated-member.ts';

describe('a member that a body has twice', () => {
  test.each<[string, readonly (string | number)[]]>([
    ['{"supply":"1","supply":"2"}', ['supply']],
    ['{"supply":"1","name":"x","supply":"1"}', ['supply']],
    ['{ "a" : 1 ,\n"a"\t: 2 }', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', ['a', 'b', '1', 'c']],
    ['[[1,2],[{"a":1},{"x":"y","x":[]}]]', ['1', '1', 'x']],
    ['{"a":{"b":1},"a":{"c":1}}', ['a']],
    ['{"":1,"":2}', ['']],
    ['{"a\\"b":1,"a\\"b":2}', ['a"b']],
    ['{"__proto__x":1,"constructor":1,"constructor":2}', ['constructor']],
  ])('is found in %s', (text, path) => {
    JSON.parse(text);
    expect(repeatedMember(text)).toEqual(path);
  });

  test.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '{"a":"\\"a\\":1,","b":"a"}',
    '{"a":"{\\"a\\":1}","b":"}"}',
    '["a","a"]',
    '"a"',
    '17',
    '{}',
    '{"a\\\\":1,"a":2}',
  ])('is not seen in %s', (text) => {
    JSON.parse(text);
    expect(repeatedMember(text)).toBeUndefined();
  });

  test('is not seen in what JSON.stringify writes, and is in the same with one more', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const text = JSON.stringify(value);
        const [name = ''] = Object.keys(JSON.parse(text));
        expect(repeatedMember(text)).toBeUndefined();
        expect(repeatedMember(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)?.[0]).toBe(name);
      }),
      { numRuns: 500 },
    );
  });

  test('is looked for in the largest bodies, of every shape, in some milliseconds', () => {
    const size = 32 * 1024;
    const longest = [
      `{"a":"${'\\\\'.repeat(size / 2)}"}`,
      `{"a":"${'x'.repeat(size)}"}`,
      `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
      `{${Array.from({ length: 3_000 }, (_, index) => `"a${index}":0`).join(',')}}`,
      `[${'"",'.repeat(size / 4)}""]`,
    ];
    for (const text of longest) {
      const begun = performance.now();
      expect(repeatedMember(text)).toBeUndefined();
      expect(performance.now() - begun).toBeLessThan(500);
    }
  });
});
