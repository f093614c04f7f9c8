// Requests under way are bounded, so that every queue behind them is; what supervisors ask is answered all the same.

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type TSchema, Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { queriesFor } from '../../../../src/kernel/runtime/define-query.ts';
import type { Route } from '../../../../src/kernel/runtime/define-route.ts';
import { getHealth } from '../../../../src/queries/get-health.ts';
import { getReadiness } from '../../../../src/queries/get-readiness.ts';
import { addQuery } from '../../../../src/server/http/add-routes.ts';
import { createRequestConcurrency } from '../../../../src/server/http/request-concurrency.ts';

function serving() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = Fastify({ trustProxy: true }).withTypeProvider<TypeBoxTypeProvider>();
  server.decorateRequest('partner', undefined);
  server.decorateRequest('caller', undefined);
  const output: TSchema = Type.Object({ ok: Type.Boolean() });
  const slow = (url: string, route: Partial<Route> = {}) =>
    queriesFor<object>()({
      name: 'GetSlowly',
      summary: '',
      description: '',
      route: { method: 'GET', url, auth: 'none', ...route },
      input: {},
      output,
      rejections: [],
      answer: () => gate.then(() => ({ ok: true })),
    });
  const requestPlaces = createRequestConcurrency();
  const readiness = async () => ({ status: 200, contentType: 'application/json', body: Buffer.from('{}') });
  for (const query of [
    slow('/slow'),
    slow('/operator/slow', { auth: 'operator' }),
    getHealth,
    getReadiness,
  ]) {
    addQuery<never>(server as never, query as never, {
      services: { readiness } as never,
      admission: () => (_request, _reply, done) => void done(),
      streams: { open: () => expect.unreachable() },
      requestPlaces,
      reachPosition: async () => 'reached',
    });
  }
  const call = (url: string, from: string) =>
    server
      .inject({ url, headers: { 'x-forwarded-for': from } })
      .then(({ statusCode, body }) => ({ statusCode, body }));
  return { call, open: () => open() };
}

test('one network has 500 under way at most, all have 2,000, and room comes back as they end', async () => {
  const { call, open } = serving();
  const waiting = Array.from({ length: 500 }, () => call('/slow', '192.0.2.1'));
  const refused = await call('/slow', '192.0.2.1');
  expect(refused.body).toContain('of this network');
  for (let network = 2; network <= 4; network += 1)
    waiting.push(...Array.from({ length: 500 }, () => call('/slow', `192.0.2.${network}`)));
  expect((await call('/slow', '192.0.2.5')).body).toContain('in all');
  for (const path of ['/health', '/ready']) expect((await call(path, '192.0.2.1')).statusCode).toBe(200);
  const operator = call('/operator/slow', '192.0.2.1');
  open();
  for (const answer of await Promise.all([...waiting, operator])) expect(answer.statusCode).toBe(200);
  expect((await call('/slow', '192.0.2.1')).statusCode).toBe(200);
});
