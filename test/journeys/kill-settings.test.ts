// The real process is killed (SIGKILL) before and after it records a change of settings, and started again on the same folder.
import { describe, expect, test, vi } from 'vitest';
import { type CallOptions, createClient } from '../support/client.ts';
import { signIn } from '../support/creator.ts';
import { openJourney } from '../support/interrupted-journey.ts';
import type { ServiceProcess } from '../support/service-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

describe.concurrent('a change of settings whose answer was lost', () => {
  test.each([
    'before',
    'after',
  ])('because the service was killed directly %s recording it is made once by the same call', async (moment) => {
    const journey = await openJourney();
    let tag = '';

    const ask = async <Body>(
      service: ServiceProcess,
      method: string,
      rest: string,
      options: CallOptions = {},
    ) => {
      const client = createClient(service.url);
      const { token } = await signIn(client, journey.keypair);
      const path = `/distribution/${journey.answers.submitted?.token.id}/settings${rest}`;
      return client.call<Body>(method, path, { token, ...options });
    };
    const change = async (service: ServiceProcess) => {
      await journey.play(service);
      tag ||= (await ask(service, 'GET', '')).headers.get('etag') ?? '';
      return ask(service, 'PATCH', '', {
        json: { burnPercent: 20, telegramGroupId: '@levy' },
        headers: { 'idempotency-key': 'change', 'if-match': tag },
      });
    };

    await journey.playUntilKilled(`${moment}:DistributionSettingsUpdated`, async (service) => {
      await change(service);
    });
    const service = await journey.start();
    const changed = await change(service);
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { burnPercent: 20, telegramGroupId: '@levy' },
    ]);
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect((await ask(service, 'GET', '')).bytes).toEqual(changed.bytes);
    expect((await ask(service, 'GET', '/history')).body).toMatchObject({ pagination: { total: 2 } });
    const log = await journey.logAfter(service);
    expect(log.filter(({ type }) => type === 'DistributionSettingsUpdated')).toHaveLength(1);
  });
});
