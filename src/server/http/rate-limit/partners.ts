/**
 * Finds the partner who calls, by the key in `X-Partner-Key`: a launchpad's backend calls for many creators from one
 * address, so its calls are counted by partner instead. Besides, the key opens what is told of the partner itself.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '../../../kernel/runtime/rejection.ts';
import { rejection } from '../../../streams/rejections.ts';
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

/** Reads the read model each time, so that a key that was made or ended in another process counts as soon as it shows it. */
export type FindPartner = (key: string) => Promise<Partner | undefined>;

/**
 * Sets `request.partner`. Throws, or rejects, with `UNAUTHENTICATED` for a key that is no partner's; only such calls are counted.
 * Nothing to wait for without a key.
 */
export type NotePartner = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

export function createNotePartner(options: {
  readonly find: FindPartner;
  /** Called with whom a right key belongs to. */
  readonly noted: (partner: Partner) => void;
  readonly wrongKeys: WrongKeys;
}): NotePartner {
  const { find, noted, wrongKeys } = options;

  async function note(key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const found = await find(key);
    if (found === undefined) {
      wrongKeys.wasWrong(key, request, reply);
      throw notAPartner(
        reply,
        'This is no key of a partner: leave out X-Partner-Key, or send the right one.',
      );
    }
    request.partner = found;
    wrongKeys.wasRight(key, request);
    noted(found);
  }

  return (request, reply) => {
    const given = request.headers[PARTNER_KEY_HEADER];
    if (given === undefined) return undefined;
    const key = String(given);
    wrongKeys.admit(key, request, reply);
    return note(key, request, reply);
  };
}

/** Throws `UNAUTHENTICATED` for a call without a partner's key. */
export function requirePartner(request: FastifyRequest, reply: FastifyReply): void {
  if (request.partner !== undefined) return;
  throw notAPartner(reply, "This call needs a partner's key: X-Partner-Key: <key>.");
}

function notAPartner(reply: FastifyReply, message: string): Rejection {
  reply.header('www-authenticate', CHALLENGE);
  return rejection('UNAUTHENTICATED', message);
}
