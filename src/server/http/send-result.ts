/** Sends the result of a query: JSON, text, a stream of pieces, or 304 if the caller has the current version. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnyQuery,
  ChunkedAnswer,
  FileAnswer,
  isPublicJson,
  RawAnswer,
  ReadyAnswer,
  TaggedAnswer,
} from '../../kernel/runtime/define-query.ts';
import { isHeldAlready } from '../../kernel/runtime/entity-tag.ts';
import { rejection } from '../../streams/rejections.ts';
import { CACHE_CONTROL, sendPrebuilt, sendPublicJson } from './prebuilt-responses.ts';

export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  query: AnyQuery<never>,
  answer: unknown,
): unknown {
  const text = publicTextOf(request, reply, query, answer);
  if (text !== undefined) {
    const tagged = answer instanceof TaggedAnswer ? answer : { caching: 'shared' as const };
    return sendPublicJson(request, reply, text, tagged);
  }
  if (answer instanceof TaggedAnswer || answer instanceof ChunkedAnswer) {
    const { entityTag, caching } = answer;
    if (entityTag === undefined) reply.header('cache-control', 'no-store');
    else {
      reply.headers({ etag: entityTag, 'cache-control': CACHE_CONTROL[caching] });
      if (isHeldAlready(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
    }
    if (answer instanceof TaggedAnswer) return answer.output;
    reply.type(answer.mediaType);
    // HEAD has no body, so its pieces are not built.
    if (request.method === 'HEAD') return reply.send();
    return reply.send(Readable.from(answer.pieces, { highWaterMark: 1 }));
  }
  if (answer instanceof ReadyAnswer) return sendPrebuilt(request, reply, answer);
  if (answer instanceof FileAnswer) return sendFile(request, reply, answer.file);
  if (answer instanceof RawAnswer) {
    const { text, headers, status } = answer;
    return reply.status(status).headers(headers).serializer(unchanged).send(text);
  }
  return answer;
}

/**
 * Returns the text of a public JSON result, else undefined. Responses to signed-in callers are not compressed: the
 * length of secret content must not depend on content that another party chose.
 */
function publicTextOf(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  query: AnyQuery<never>,
  answer: unknown,
): string | undefined {
  if (caller !== undefined || !isPublicJson(query) || answer instanceof ReadyAnswer) return undefined;
  if (answer instanceof RawAnswer) return answer.text;
  if (answer instanceof ChunkedAnswer || answer instanceof FileAnswer) return undefined;
  return String(reply.serialize(answer instanceof TaggedAnswer ? answer.output : Object(answer)));
}

/** Serializer for a response that already is text. */
export function unchanged(text: unknown): string {
  return String(text);
}

/** Bytes per read. */
const CHUNK = 32 * 1024;

interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Throws `RANGE_NOT_SATISFIABLE` for a range after the file's end. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer['file'],
): Promise<FastifyReply> {
  const { size, entityTag, mediaType, cachedFor } = file;
  const { range: asked, 'if-range': condition, 'if-none-match': held } = request.headers;
  const range = condition === undefined || condition === entityTag ? rangeOf(asked, size) : undefined;
  // Set after the checks: a refusal must not be cached.
  reply.headers({
    etag: entityTag,
    'cache-control':
      cachedFor === undefined ? 'public, max-age=31536000, immutable' : `public, max-age=${cachedFor}`,
    'accept-ranges': 'bytes',
  });
  if (isHeldAlready(held, entityTag)) return reply.status(304).send();
  const { start, end } = range ?? { start: 0, end: size };
  if (range !== undefined) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  reply.type(mediaType).header('content-length', end - start);
  const isHead = request.method === 'HEAD';
  // A small file needs no stream, which costs as much as the rest of the request.
  if (!isHead && end - start <= CHUNK) return reply.send(await file.read(start, end - start));
  const pieces = isHead ? [] : chunksOf(file, { start, end });
  return reply.send(Readable.from(pieces, { objectMode: false, highWaterMark: CHUNK }));
}

async function* chunksOf({ read }: FileAnswer['file'], { start, end }: Range): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < end; offset += CHUNK) yield read(offset, Math.min(CHUNK, end - offset));
}

/** Parses a Range header. Undefined (whole file) without the header, for several ranges, and for other units than bytes. */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Without a first byte, the number counts bytes from the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size)
    throw rejection('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes; the range starts after its end.`);
  return { start, end };
}
