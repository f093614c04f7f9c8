/** Sends answers that are built once, and registers the routes that answer nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isHeldAlready } from '../../kernel/runtime/entity-tag.ts';
import {
  type Caching,
  CODINGS,
  type Coding,
  lazily,
  ReadyAnswer,
} from '../../kernel/runtime/ready-answer.ts';
import { rejection } from '../../streams/rejections.ts';
import { readWeights, varyBy } from './accept-weights.ts';

export const CACHE_CONTROL: { readonly [caching in Caching]: string } = {
  // Caches must revalidate it each time and must not share it.
  revalidated: 'private, no-cache',
  public: 'public, max-age=300',
  immutable: 'public, max-age=31536000, immutable',
};

const MEDIA_TYPES: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

export async function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: ReadyAnswer,
): Promise<FastifyReply> {
  const coding = ready.isCompressible ? codingFor(request.headers['accept-encoding']) : undefined;
  if (ready.isCompressible) varyBy(reply, 'Accept-Encoding');
  // A strong tag names one sequence of bytes, so each coding has its own.
  const entityTag = coding === undefined ? ready.entityTag : `${ready.entityTag.slice(0, -1)}-${coding}"`;
  reply.headers({ etag: entityTag, 'cache-control': CACHE_CONTROL[ready.caching] });
  // A page that says that there is none is not confirmed by its tag.
  if (reply.statusCode === 200 && isHeldAlready(request.headers['if-none-match'], entityTag))
    return reply.status(304).send();
  const bytes = coding === undefined ? ready.bytes : await ready.compressed(coding);
  if (coding !== undefined) reply.header('content-encoding', coding);
  // A view, not a copy: many callers are sent the same bytes.
  return reply.type(ready.mediaType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** A GET route that answers nothing else. `answer` throws for what does not exist. */
export function addReadyRoute(
  server: FastifyInstance,
  url: string,
  answer: (request: FastifyRequest) => ReadyAnswer,
): void {
  server.get(url, (request, reply) => sendReady(request, reply, answer(request)));
}

/** Serves the files directly in these folders. `url` has the parameter `:name`. Each file is read when it is first requested. */
export function addReadyFiles(
  server: FastifyInstance,
  url: string,
  folders: readonly string[],
  caching: Caching,
): void {
  const files = new Map(
    folders
      .flatMap((folder) => readdirSync(folder).map((name) => ({ name, path: join(folder, name) })))
      .map(({ name, path }) => [name, lazily(() => readyFile(path, caching))]),
  );
  addReadyRoute(server, url, ({ params }) => {
    const { name } = params as { readonly name: string };
    const file = files.get(name);
    if (file === undefined) throw rejection('ROUTE_NOT_FOUND', 'There is no file of this name.');
    return file();
  });
}

export function readyFile(path: string, caching: Caching): ReadyAnswer {
  const mediaType = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
  return new ReadyAnswer(readFileSync(path), { mediaType, caching });
}

export function readyPage(html: string, caching: Caching): ReadyAnswer {
  return new ReadyAnswer(html, { mediaType: 'text/html; charset=utf-8', caching });
}

function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined) return undefined;
  const weights = readWeights(accepted);
  return CODINGS.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}
