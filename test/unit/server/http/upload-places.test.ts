// Uploads over real connections: a bounded number is admitted, by network and in all, and what callers have left is not done.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createUploadPlaces } from '../../../../src/server/http/upload.ts';
import { until } from '../../../support/until.ts';

async function serving() {
  const places = createUploadPlaces();
  const done: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = Fastify({ trustProxy: true });
  server.decorateRequest('partner', undefined);
  server.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
    const { inTurn, leave } = places.admit(request, reply);
    try {
      return await inTurn(async () => {
        await gate;
        done.push(request.params.name);
        return request.params.name;
      });
    } finally {
      leave();
    }
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    open();
    for (const socket of sockets) socket.destroy();
    await server.close();
  });
  async function call(name: string, from: string) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    socket.write(`GET /${name} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\nconnection: close\r\n\r\n`);
    const answer = () => until(async () => (received.includes('\r\n\r\n') ? received : undefined));
    return { socket, answer };
  }
  const waiting = (count: number) => until(async () => (places.waiting === count ? true : undefined));
  return { call, open: () => open(), done, waiting };
}

test('one network has eight under way at most, also from many of its addresses, and is told when to come again', async () => {
  const { call, waiting } = await serving();
  for (let count = 0; count < 8; count += 1) await call(`${count}`, `2001:db8:1:2::${count}`);
  await waiting(7);
  const refused = await (await call('ninth', '2001:db8:1:2:ffff::1')).answer();
  expect(refused).toContain('8 uploads in progress, its limit');
  await call('other', '2001:db8:1:3::1');
  await waiting(8);
});

test('all networks have 32 under way at most, and there is room again when callers leave', async () => {
  const { call, waiting, open, done } = await serving();
  const callers: Awaited<ReturnType<typeof call>>[] = [];
  for (let count = 0; count < 32; count += 1) callers.push(await call(`${count}`, `192.0.2.${count}`));
  await waiting(31);
  expect(await (await call('33rd', '198.51.100.1')).answer()).toContain('try again');
  for (const { socket } of callers.slice(1)) socket.destroy();
  await waiting(0);
  const later = await call('later', '198.51.100.1');
  await waiting(1);
  open();
  expect(await later.answer()).toContain('200 OK');
  // The first was under way when it left nothing undone; the others had not begun.
  expect(done).toEqual(['0', 'later']);
});
