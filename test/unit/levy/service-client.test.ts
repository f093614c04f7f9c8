// A service that wants fewer calls is asked again, after the pause that it names.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { askForJson } from '../../../src/levy/service-client.ts';
import { listening } from '../../support/listening.ts';

test('a service that wants fewer calls is asked again', async () => {
  const statuses = [429, 429, 200];
  const asked: unknown[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers['x-operator-key']]);
    response.writeHead(statuses[asked.length - 1] ?? 500, { 'retry-after': '0' }).end('{"done":true}');
  });
  const service = { base: `http://127.0.0.1:${await listening(server)}/`, operatorKey: 'key' };
  expect(await askForJson(service, 'operator/partners', { method: 'POST' })).toEqual({ done: true });
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['POST', '/operator/partners', 'key']));
});
