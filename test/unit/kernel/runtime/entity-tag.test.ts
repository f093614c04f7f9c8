// Entity tags: the same for the same content, and read as RFC 9110 writes them.
import { describe, expect, test } from 'vitest';
import { entityTagOf, isHeldAlready, requireMatch } from '../../../../src/kernel/runtime/entity-tag.ts';
import { rejectionOf } from '../../../support/command-spec.ts';

const TAG = '"a"';
const codeOf = (ifMatch: string) => rejectionOf(() => requireMatch(ifMatch, TAG)).code;
const matches = (ifMatch: string | undefined) => () => requireMatch(ifMatch, TAG);

describe('the tag of a content', () => {
  test('is strong, short, and fit for a header', () => {
    expect(entityTagOf({ a: 1 })).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test('tells values, types and keys apart', () => {
    const contents = [{ a: 1 }, { a: 2 }, { a: '1' }, { b: 1 }, { a: 1, b: null }, { a: null }, {}];
    expect(new Set(contents.map(entityTagOf)).size).toBe(contents.length);
  });
});

describe('If-Match', () => {
  test('is met where it was not sent', () => {
    expect(matches(undefined)).not.toThrow();
  });

  test.each([
    '"a"',
    '*',
    ' * ',
    '"b","a","c"',
    ', ,"a",,',
    '\t"a"\t',
    '"b", W/"a"',
    '"a-gzip"',
    'W/"a--gzip"',
    '"a;br"',
    '"b,\'c", "a"',
    '"", "a"',
  ])('is met by %j', (ifMatch) => {
    expect(matches(ifMatch)).not.toThrow();
  });

  test.each([
    '"b"',
    'W/"b"',
    '"A"',
    '""',
    '"agzip"',
    '"-gzip"',
    '"a-gzip-1"',
    '"a-other"',
    '"\u00e9"',
  ])('is not met by %j', (ifMatch) => {
    expect(codeOf(ifMatch)).toBe('PRECONDITION_FAILED');
  });

  test.each([
    '',
    ',',
    'a',
    '"a',
    '"a" "b"',
    '"a", b',
    '*, "a"',
    '"a", *',
    'w/"a"',
    'W/ "a"',
    '"a b"',
    '"a\u0100"',
  ])('is malformed as %j', (ifMatch) => {
    expect(codeOf(ifMatch)).toBe('VALIDATION_FAILED');
  });

  test('of any length is read in proportion to it', () => {
    for (const filler of [' ', '\t', ',', ' ,', '"', '""', 'W/', 'W/"', '"b",', '"b" ']) {
      const long = filler.repeat(200_000);
      expect(['PRECONDITION_FAILED', 'VALIDATION_FAILED']).toContain(codeOf(`"b"${long}x`));
      expect(['PRECONDITION_FAILED', 'VALIDATION_FAILED']).toContain(codeOf(long));
    }
  });
});

describe('If-None-Match', () => {
  test.each(['"a"', 'W/"a"', '*', '"b", W/"a"'])('holds it already: %j', (ifNoneMatch) => {
    expect(isHeldAlready(ifNoneMatch, TAG)).toBe(true);
  });

  test.each([undefined, '', 'a', '"b"', 'W/"b"', '"a" "b"'])('does not hold it: %j', (ifNoneMatch) => {
    expect(isHeldAlready(ifNoneMatch, TAG)).toBe(false);
  });
});
