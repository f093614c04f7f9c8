/**
 * Sends files: whole, the range that was asked for, or nothing where the caller has it already (RFC
 * 9110, sections 13 and 14). A piece is read when the one before it is on its way, so that a slow caller holds one.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileAnswer } from '../../kernel/runtime/define-query.ts';
import { isHeldAlready } from '../../kernel/runtime/entity-tag.ts';
import { rejection } from '../../streams/rejections.ts';

/** Bytes that are read at once. */
const PIECE = 32 * 1024;

interface Range {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** Throws `RANGE_NOT_SATISFIABLE` for a range behind the file's end. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<FastifyReply> {
  const { size, entityTag, mediaType, keptFor } = file;
  const { range: asked, 'if-range': condition, 'if-none-match': held } = request.headers;
  const range = condition === undefined || condition === entityTag ? rangeOf(asked, size) : undefined;
  // Behind what can be refused: a refusal must not be kept for ever.
  reply.headers({
    etag: entityTag,
    'cache-control':
      keptFor === undefined ? 'public, max-age=31536000, immutable' : `public, max-age=${keptFor}`,
    'accept-ranges': 'bytes',
  });
  if (isHeldAlready(held, entityTag)) return reply.status(304).send();
  const { start, end } = range ?? { start: 0, end: size };
  if (range !== undefined) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  reply.type(mediaType).header('content-length', end - start);
  const isHead = request.method === 'HEAD';
  // One piece needs no stream, which costs as much as the rest of the request.
  if (!isHead && end - start <= PIECE) return reply.send(await file.read(start, end - start));
  const pieces = isHead ? [] : piecesOf(file, { start, end });
  return reply.send(Readable.from(pieces, { objectMode: false, highWaterMark: PIECE }));
}

async function* piecesOf({ read }: FileAnswer, { start, end }: Range): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < end; offset += PIECE) yield read(offset, Math.min(PIECE, end - offset));
}

/** Undefined for the whole file: without the header, and for one that asks for several ranges or is none of bytes. */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Without a first byte it is the number of bytes at the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size)
    throw rejection('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes; the range begins behind them.`);
  return { start, end };
}
