// `/v1` before a path is left out before it is routed.
import { expect, test } from 'vitest';
import { withoutVersion } from '../../../../src/server/http/version-prefix.ts';

test.each([
  ['/v1/tokens?page=2', '/tokens?page=2'],
  ['/v1/', '/'],
  ['/v1/v1/tokens', '/v1/tokens'],
])('%s is routed as %s', (given, routed) => {
  expect(withoutVersion(given)).toBe(routed);
});

test.each(['/tokens', '/v1', '/v10/tokens', '/x/v1/tokens', '*', ''])('%s stays as it is', (given) => {
  expect(withoutVersion(given)).toBe(given);
});
