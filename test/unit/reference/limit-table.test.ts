import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfiguration } from '../../../src/config/configuration.ts';
import { RATE_LIMIT_POLICIES } from '../../../src/http/rate-limit/policies.ts';
import { limitTable, withLimitTable } from '../../../src/reference/limit-table.ts';

const README = new URL('../../../README.md', import.meta.url);

test('the table of limits in the README is the one that the service counts by', async () => {
  const readme = await readFile(README, 'utf8');
  expect(withLimitTable(readme) === readme, 'run: npm run readme').toBe(true);
});

test('the table has every policy, with its quota as an operator would write it', () => {
  const rows = [...limitTable().matchAll(/^\| `([a-z-]+)` \|.*\| `(\d+\/\w+)` \|/gm)];
  const written = rows.map(([, name, quota]) => `${name}=${quota}`).join();
  const { rateLimitQuotas } = readConfiguration({ RATE_LIMIT_POLICIES: written });
  const policies = Object.entries(RATE_LIMIT_POLICIES).map(([name, { quota, windowSeconds }]) => [
    name,
    { quota, windowSeconds },
  ]);
  expect(rateLimitQuotas).toEqual(Object.fromEntries(policies));
});
