/** Sends what a query answers: JSON, ready JSON text, raw bytes, pieces, or nothing where the caller has it already. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  FileAnswer,
  JsonText,
  PiecewiseAnswer,
  RawAnswer,
  TaggedAnswer,
} from '../../kernel/runtime/define-query.ts';
import { isHeldAlready } from '../../kernel/runtime/entity-tag.ts';
import { ReadyAnswer } from '../../kernel/runtime/ready-answer.ts';
import { sendFile } from './send-file.ts';
import { CACHE_CONTROL, sendReady } from './send-ready.ts';

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown {
  if (answer instanceof TaggedAnswer || answer instanceof PiecewiseAnswer) {
    const { entityTag, caching } = answer;
    if (entityTag === undefined) reply.header('cache-control', 'no-store');
    else {
      reply.headers({ etag: entityTag, 'cache-control': CACHE_CONTROL[caching] });
      if (isHeldAlready(request.headers['if-none-match'], entityTag)) return reply.status(304).send();
    }
    if (answer instanceof TaggedAnswer) return answer.output;
    reply.type(answer.mediaType);
    // HEAD has no body, so its pieces are not made.
    if (request.method === 'HEAD') return reply.send();
    return reply.send(Readable.from(answer.pieces, { highWaterMark: 1 }));
  }
  if (answer instanceof JsonText) {
    return reply.type('application/json; charset=utf-8').serializer(asIs).send(answer.text);
  }
  if (answer instanceof ReadyAnswer) return sendReady(request, reply, answer);
  if (answer instanceof FileAnswer) return sendFile(request, reply, answer);
  if (answer instanceof RawAnswer) {
    const { body: given } = answer;
    // A view, not a copy: many callers may be sent the same bytes.
    const body =
      typeof given === 'string' ? given : Buffer.from(given.buffer, given.byteOffset, given.length);
    return reply.status(answer.status).headers(answer.headers).serializer(asIs).send(body);
  }
  return answer;
}

/** The serializer of what is text already. */
export function asIs(text: unknown): string {
  return String(text);
}
