/** Reads the weights in Accept and Accept-Encoding (RFC 9110, 12.4.2), and names in Vary what an answer depends on. */
import type { FastifyReply } from 'fastify';

/** Linear time. An unreadable weight is 0. */
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

/** Keeps caches from answering a request with a body that was chosen by another value of the header. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? header : `${vary}, ${header}`);
}
