/** Reads from Accept (RFC 9110, 12.5.1) whether a caller would rather have a query's alternative than JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../../kernel/runtime/define-route.ts';

const JSON_TYPE = 'application/json';

export function preferenceOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { alternative }: { readonly alternative?: string },
): Pick<Call, 'prefersAlternative'> {
  if (alternative === undefined) return {};
  // Caches must not give the one to whoever asked for the other.
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept' : `${vary}, Accept`);
  const weights = readWeights(request.headers.accept ?? '*/*');
  const isPreferred = weightOf(alternative, weights) > weightOf(JSON_TYPE, weights);
  return isPreferred ? { prefersAlternative: true } : {};
}

/** Linear time. What cannot be read weighs nothing. */
function readWeights(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      const weight = quality === undefined ? 1 : Number(quality.slice(2));
      return [type, weight >= 0 && weight <= 1 ? weight : 0];
    }),
  );
}

function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const family = `${type.split('/', 1)[0]}/*`;
  return weights.get(type) ?? weights.get(family) ?? weights.get('*/*') ?? 0;
}
