/**
 * Finds the partner who calls, by the key in `X-Partner-Key`: a launchpad's backend calls for many creators from one
 * address, so its calls are counted by partner instead. The key opens nothing else.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rejection } from '../../../streams/rejections.ts';
import { createHolderOf } from '../../auth/named-keys.ts';
import type { Partner } from './policies.ts';
import type { WrongKeys } from './wrong-keys.ts';

const PARTNER_KEY_HEADER = 'x-partner-key';
const CHALLENGE = 'ApiKey header="X-Partner-Key"';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for calls without a partner's key. */
    partner: Partner | undefined;
  }
}

/** Sets `request.partner`. Throws `UNAUTHENTICATED` for a key that is no partner's; only such calls are counted. */
export type NotePartner = (request: FastifyRequest, reply: FastifyReply) => void;

export function createNotePartner(options: {
  readonly partners: readonly Partner[];
  readonly wrongKeys: WrongKeys;
}): NotePartner {
  const holderOf = createHolderOf(options.partners);
  const { wrongKeys } = options;
  return (request, reply) => {
    const given = request.headers[PARTNER_KEY_HEADER];
    if (given === undefined) return;
    const key = String(given);
    wrongKeys.admit(key, request, reply);
    request.partner = holderOf(key);
    if (request.partner !== undefined) return wrongKeys.wasRight(key, request);
    wrongKeys.wasWrong(key, request, reply);
    reply.header('www-authenticate', CHALLENGE);
    throw rejection(
      'UNAUTHENTICATED',
      'This is no key of a partner: leave out X-Partner-Key, or send the right one.',
    );
  };
}
