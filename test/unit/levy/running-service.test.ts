// A service that wants fewer calls is waited for, as long as it says.
import { expect, test } from 'vitest';
import { callPatiently } from '../../../src/levy/running-service.ts';

test('a service that wants fewer calls is asked again', async () => {
  const statuses = [429, 429, 200];
  let asked = 0;
  const response = await callPatiently(
    async () => new Response('', { status: statuses[asked++] ?? 500, headers: { 'retry-after': '0' } }),
  );
  expect([response.status, asked]).toEqual([200, 3]);
});

test('waiting ends when it is aborted', async () => {
  const waiting = callPatiently(
    async () => new Response('', { status: 429, headers: { 'retry-after': '3600' } }),
    AbortSignal.abort(new Error('over')),
  );
  await expect(waiting).rejects.toThrow('aborted');
});
