import { expect, test } from 'vitest';
import { readConfiguration } from '../../../src/operations/config/configuration.ts';
import { rateLimitTable } from '../../../src/reference/tables.ts';
import { RATE_LIMIT_POLICIES } from '../../../src/server/http/rate-limit/policies.ts';

test('the table has every policy, with its quota as an operator would write it', () => {
  const rows = [...rateLimitTable().matchAll(/^\| `([a-z-]+)` \|.*\| `(\d+\/\w+)` \|/gm)];
  const written = rows.map(([, name, quota]) => `${name}=${quota}`).join();
  const { rateLimits } = readConfiguration({ RATE_LIMITS: written });
  const policies = Object.entries(RATE_LIMIT_POLICIES).map(([name, { quota, windowSeconds }]) => [
    name,
    { quota, windowSeconds },
  ]);
  expect(rateLimits).toEqual(Object.fromEntries(policies));
});
