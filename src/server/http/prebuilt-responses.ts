/** Sends responses that are built once, and registers routes that serve only those. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  type Caching,
  CODINGS,
  type Coding,
  lazily,
  ReadyAnswer,
} from '../../kernel/runtime/define-query.ts';
import { isHeldAlready } from '../../kernel/runtime/entity-tag.ts';
import { rejection } from '../../streams/rejections.ts';

export const CACHE_CONTROL: { readonly [caching in Caching]: string } = {
  // Caches must revalidate each time and must not share the response.
  revalidated: 'private, no-cache',
  shared: 'public, no-cache',
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

export async function sendPrebuilt(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: ReadyAnswer,
): Promise<FastifyReply> {
  const coding = ready.isCompressible ? codingFor(request.headers['accept-encoding']) : undefined;
  if (ready.isCompressible) varyBy(reply, 'Accept-Encoding');
  // A strong tag names one sequence of bytes, so each coding has its own.
  const entityTag = coding === undefined ? ready.entityTag : `${ready.entityTag.slice(0, -1)}-${coding}"`;
  reply.headers({ etag: entityTag, 'cache-control': CACHE_CONTROL[ready.caching] });
  // A "not found" page must not become a 304.
  if (reply.statusCode === 200 && isHeldAlready(request.headers['if-none-match'], entityTag))
    return reply.status(304).send();
  const bytes = coding === undefined ? ready.bytes : await ready.compressed(coding);
  if (coding !== undefined) reply.header('content-encoding', coding);
  // A view, not a copy: many callers are sent the same bytes.
  return reply.type(ready.mediaType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** Maximum bytes in the cache. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Cache of responses by their texts, so that each is hashed, encoded and compressed once. */
const cache = new LRUCache<string, ReadyAnswer>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length,
});

/** Sends public JSON. `entityTag` defaults to a hash of the text. */
export function sendPublicJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  { caching, entityTag }: { readonly caching: Caching; readonly entityTag?: string },
): Promise<FastifyReply> {
  const known = cache.get(text);
  const isSame = known?.caching === caching && (entityTag ?? known.entityTag) === known.entityTag;
  if (isSame) return sendPrebuilt(request, reply, known);
  const mediaType = 'application/json; charset=utf-8';
  const ready = new ReadyAnswer(text, {
    mediaType,
    caching,
    ...(entityTag === undefined ? {} : { entityTag }),
  });
  cache.set(text, ready);
  return sendPrebuilt(request, reply, ready);
}

/** Adds a GET route with one prepared response. */
export function addPrebuiltRoute(server: FastifyInstance, url: string, answer: () => ReadyAnswer): void {
  server.get(url, (request, reply) => sendPrebuilt(request, reply, answer()));
}

/** Serves the files of these folders below the path. Each file is read on its first request. */
export function addPrebuiltFiles(
  server: FastifyInstance,
  path: string,
  folders: readonly string[],
  build: (file: string, name: string) => ReadyAnswer,
): void {
  const files = new Map(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = join(entry.parentPath, entry.name);
          const name = relative(folder, file).replaceAll('\\', '/');
          return [name, lazily(() => build(file, name))] as const;
        }),
    ),
  );
  server.get(`${path}/*`, (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string };
    const answer = files.get(name);
    if (answer === undefined) throw rejection('ROUTE_NOT_FOUND', 'Page not found.');
    return sendPrebuilt(request, reply, answer());
  });
}

export function prebuiltFile(file: string, caching: Caching): ReadyAnswer {
  const mediaType = MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
  return new ReadyAnswer(readFileSync(file), { mediaType, caching });
}

export function prebuiltPage(html: string, caching: Caching): ReadyAnswer {
  return new ReadyAnswer(html, { mediaType: 'text/html; charset=utf-8', caching });
}

function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined) return undefined;
  const weights = readWeights(accepted);
  return CODINGS.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}

/** Parses weights (`q=`) in linear time. An invalid weight is 0. */
export function readWeights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = quality === undefined ? 1 : Number(quality.slice(2));
      return [name, weight >= 0 && weight <= 1 ? weight : 0];
    }),
  );
}

/** Adds a header to `Vary`, so that caches store one response for each of its values. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? header : `${vary}, ${header}`);
}
