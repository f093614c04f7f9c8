/** Minimal Fastify route: sends an object from memory, serialized by its schema. Logs, reads and checks nothing. */
import Fastify from 'fastify';
import { getSettings } from '../../src/queries/get-settings.ts';
import { listFeatured } from '../../src/queries/list-featured.ts';
import { type Served, serve } from '../measuring/child.ts';
import type { BareOptions } from './bare-options.ts';

async function openBare({ featured, settings }: BareOptions): Promise<Served> {
  const server = Fastify({ logger: false });
  for (const [{ route, output }, body] of [
    [listFeatured, featured],
    [getSettings, settings],
  ] as const) {
    server.get(route.url, { schema: { response: { 200: output } } }, async () => body);
  }
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => server.close() };
}

await serve(openBare);
