import { afterEach, expect, test } from 'vitest';
import {
  openStatusListener,
  type StatusAnswer,
  type StatusListener,
} from '../../src/server/http/status-listener.ts';

let listener: StatusListener | undefined;

afterEach(async () => {
  await listener?.close();
  listener = undefined;
});

async function open(text: () => Promise<StatusAnswer>): Promise<string> {
  listener = await openStatusListener({ host: '127.0.0.1', port: 0, paths: { '/metrics': text } });
  return listener.address;
}

const some = async () => ({ contentType: 'text/plain; version=0.0.4', body: 'a 1\n' });

test('GET answers what there is at the path, also with a query', async () => {
  const address = await open(some);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  for (const path of ['/metrics', '/metrics?name=a']) {
    const answer = await fetch(`${address}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
    expect(await answer.text()).toBe('a 1\n');
  }
});

test('there is nothing else', async () => {
  const address = await open(some);
  for (const path of ['/', '/tokens', '/metrics/', '/metricsx', '/health', '/openapi.json']) {
    const answer = await fetch(`${address}${path}`);
    expect([path, answer.status, await answer.text()]).toEqual([path, 404, '']);
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
    expect([method, (await fetch(`${address}/metrics`, { method })).status]).toEqual([method, 404]);
  }
});

test('an answer may say that all is not well', async () => {
  const address = await open(async () => ({ ...(await some()), status: 503 }));
  const answer = await fetch(`${address}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([503, 'a 1\n']);
});

test('what cannot be told is no fault that ends the service', async () => {
  const address = await open(() => Promise.reject(new Error('of our insides')));
  const answer = await fetch(`${address}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([503, '']);
});

test('it is closed although somebody holds a connection', async () => {
  const address = await open(some);
  await (await fetch(`${address}/metrics`)).text();
  await listener?.close();
  listener = undefined;
  await expect(fetch(`${address}/metrics`)).rejects.toThrow();
});

test('it is not opened where somebody else listens', async () => {
  const port = Number(new URL(await open(some)).port);
  await expect(openStatusListener({ host: '127.0.0.1', port, paths: {} })).rejects.toThrow(/EADDRINUSE/);
});
