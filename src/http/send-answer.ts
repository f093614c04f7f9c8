/** Sends what a query answers: JSON, ready JSON text, raw bytes, or nothing where the caller has it already. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileAnswer, JsonText, RawAnswer, TaggedAnswer } from '../runtime/define-query.ts';
import { isHeldAlready } from '../runtime/entity-tag.ts';
import { sendFile } from './send-file.ts';

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown {
  if (answer instanceof TaggedAnswer) {
    // Caches must revalidate it each time and must not share it.
    reply.headers({ etag: answer.entityTag, 'cache-control': 'private, no-cache' });
    if (!isHeldAlready(request.headers['if-none-match'], answer.entityTag)) return answer.output;
    return reply.status(304).send();
  }
  if (answer instanceof JsonText) {
    return reply.type('application/json; charset=utf-8').serializer(asIs).send(answer.text);
  }
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
