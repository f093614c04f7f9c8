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

export interface PartnerKeys {
  /** Takes constant time. */
  ofEnvironment(key: string): Partner | undefined;
  /** Asks the read model each time, so that a key that was made or ended in another process counts as soon as it shows it. */
  ofOperators(key: string): Promise<Partner | undefined>;
}

/**
 * Sets `request.partner`. Throws, or rejects, with `UNAUTHENTICATED` for a key that is no partner's; only such calls are counted.
 * Nothing to wait for without a key, or with one of PARTNER_KEYS.
 */
export type NotePartner = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

export function createNotePartner(options: {
  readonly keys: PartnerKeys;
  /** Called with whom a right key belongs to. */
  readonly noted: (partner: Partner) => void;
  readonly wrongKeys: WrongKeys;
}): NotePartner {
  const { keys, noted, wrongKeys } = options;

  function note(partner: Partner, key: string, request: FastifyRequest): void {
    request.partner = partner;
    wrongKeys.wasRight(key, request);
    noted(partner);
  }

  async function noteOfOperators(key: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const found = await keys.ofOperators(key);
    if (found !== undefined) return note(found, key, request);
    wrongKeys.wasWrong(key, request, reply);
    throw notAPartner(reply, 'This is no key of a partner: leave out X-Partner-Key, or send the right one.');
  }

  return (request, reply) => {
    const given = request.headers[PARTNER_KEY_HEADER];
    if (given === undefined) return undefined;
    const key = String(given);
    wrongKeys.admit(key, request, reply);
    const found = keys.ofEnvironment(key);
    if (found === undefined) return noteOfOperators(key, request, reply);
    note(found, key, request);
    return undefined;
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
