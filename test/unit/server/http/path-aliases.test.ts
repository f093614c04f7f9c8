// A path has other names: under `/v1`, and the one that it had before; both lead to the path of today.
import { describe, expect, test } from 'vitest';
import { createPathAliases } from '../../../../src/server/http/path-aliases.ts';

const aliases = createPathAliases([
  { url: '/tokens/:mintAddress' },
  { url: '/files/:sha256', formerly: { url: '/distribution/files/:sha256', until: '2026-11-24' } },
]);

describe('the path of today', () => {
  test.each([
    ['/v1/tokens?page=2', '/tokens?page=2'],
    ['/v1/', '/'],
    ['/distribution/files/ab?x', '/files/ab?x'],
    ['/v1/distribution/files/ab', '/files/ab'],
    ['/v1/v1/tokens', '/v1/tokens'],
  ])('%s is %s', (given, todays) => {
    expect(aliases.todays(given)).toBe(todays);
  });

  test.each([
    '/tokens',
    '/v1',
    '/v10/tokens',
    '/distribution/filesystem',
    '/x/v1/tokens',
    '*',
    '',
  ])('%s stays as it is', (given) => {
    expect(aliases.todays(given)).toBe(given);
  });
});

test('only a former path is deprecated, since the day on which it got another name', () => {
  expect(aliases.deprecatedSince('/distribution/files/ab')).toBe(1_795_478_400);
  expect(aliases.deprecatedSince('/v1/distribution/files/ab')).toBe(1_795_478_400);
  expect(aliases.deprecatedSince('/files/ab')).toBeUndefined();
  expect(aliases.deprecatedSince('/v1/files/ab')).toBeUndefined();
});

test('a former path with more than one parameter at its end is refused at the start', () => {
  const formerly = { url: '/old/:a/:b', until: '2026-11-24' };
  expect(() => createPathAliases([{ url: '/new/:a', formerly }])).toThrow(
    '/old/:a/:b is no prefix of a parameter',
  );
});
