// Everybody can read the transparency log, and check it without believing the service.
import { parseVerifierKey, policyOfLog, verifyLog } from 'levy-transparency-log';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openTestService, type TestService } from '../support/service.ts';

describe('the log of a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
  });

  test('is published soon after the start, signed by its key, and holds', async () => {
    const read = async (path: string) => {
      const response = await fetch(`${service.url}/log/${path}`);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    };
    const { key } = await eventually('there is a checkpoint', async () => {
      const [checkpoint, found] = [await read('checkpoint'), await read('key')];
      return checkpoint && found && { key: Buffer.from(found).toString().trim() };
    });
    const { checkpoint } = await verifyLog(read, policyOfLog(parseVerifierKey(key)));
    expect(checkpoint.size).toBeGreaterThan(0);
  });

  test('tells caches how long to keep what', async () => {
    const response = await fetch(`${service.url}/log/checkpoint`, {
      headers: { origin: 'https://any.example' },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=1');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const tag = response.headers.get('etag') ?? '';
    expect((await fetch(`${service.url}/log/tile/0/999`)).status).toBe(404);
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  });
});
