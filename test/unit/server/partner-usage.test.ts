// The usage report of a partner.
import { expect, test } from 'vitest';
import { createCallLimits } from '../../../src/server/http/rate-limit/call-limits.ts';
import { policiesWith } from '../../../src/server/http/rate-limit/policies.ts';
import { createPartnerUsage } from '../../../src/server/partner-usage.ts';

const NOW = new Date('2026-05-04T10:00:00.000Z');
const acme = { name: 'acme', sha256: 'a'.repeat(64), quotas: { general: { quota: 2, windowSeconds: 900 } } };

test('calls, answers and refusals are counted by partner, and quotas are those of the key that called last', () => {
  const usage = createPartnerUsage(NOW);
  const limits = createCallLimits(policiesWith({}), () => NOW.getTime());
  usage.watchQuotas(limits.nextOf);
  const general = () => usage.of('acme').quotas.find(({ policy }) => policy === 'general');
  expect(usage.of('acme')).toMatchObject({ calls: 0, byStatus: [], refusals: [], quotas: [] });

  const request = { ip: '127.0.0.1', caller: undefined, partner: acme, method: 'GET' } as never;
  const reply = { headers: () => undefined } as never;
  usage.begun(acme);
  expect(general()).toEqual({
    policy: 'general',
    calls: 2,
    windowSeconds: 900,
    remaining: 2,
    endsAt: null,
    refused: 0,
  });
  limits.count('general', request, reply);
  usage.answered(acme, { status: 200, code: undefined, limitedBy: undefined });
  expect(general()).toMatchObject({ remaining: 1, endsAt: '2026-05-04T10:15:00.000Z' });
  limits.count('general', request, reply);
  expect(general()).toMatchObject({ remaining: 0, endsAt: '2026-05-04T10:15:00.000Z' });
  usage.answered(acme, { status: 429, code: 'RATE_LIMITED', limitedBy: 'general' });
  usage.answered(acme, { status: 404, code: 'TOKEN_NOT_FOUND', limitedBy: undefined });
  usage.answered({ ...acme, name: 'other' }, { status: 200, code: undefined, limitedBy: undefined });

  const told = usage.of('acme');
  expect(told).toMatchObject({
    partner: 'acme',
    since: NOW.toISOString(),
    calls: 3,
    byStatus: [
      { httpStatus: 200, calls: 1 },
      { httpStatus: 404, calls: 1 },
      { httpStatus: 429, calls: 1 },
    ],
    refusals: [
      { code: 'RATE_LIMITED', calls: 1 },
      { code: 'TOKEN_NOT_FOUND', calls: 1 },
    ],
  });
  expect(general()?.refused).toBe(1);
  expect(told.quotas.map(({ policy }) => policy)).not.toContain('partner');

  usage.begun({ ...acme, quotas: { general: { quota: 50, windowSeconds: 60 } } });
  expect(general()).toMatchObject({ calls: 50, remaining: 50, endsAt: null });
});
