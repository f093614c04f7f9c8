/** Which access tokens were given back, here or in another process: what is not known yet is looked up in the log. */
import type { ReadModel } from '../ports/read-model.ts';
import { revokedSessions } from '../projections/revoked-sessions.ts';

export interface Revocations {
  /** Counts from now on, before any read model shows it. */
  add(tokenId: string): void;
  /** Rejects when it cannot be known, since the log does not answer. */
  has(tokenId: string): Promise<boolean>;
}

/** By the time that so many came after it, every read model that works has learned of a revocation. */
const REMEMBERED = 10_000;

/**
 * `lookUp` asks the log itself, and is needed where other processes write to it: a read model learns of what they
 * recorded a moment later, and a token that was given back must not be good for that moment.
 */
export function createRevocations(
  readModel: ReadModel,
  lookUp: (tokenId: string) => Promise<boolean> = async () => false,
): Revocations {
  const recent = new Set<string>();

  function add(tokenId: string): void {
    recent.add(tokenId);
    const [oldest] = recent;
    if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
  }

  return {
    add,
    async has(tokenId) {
      if (recent.has(tokenId)) return true;
      if ((await readModel.get(revokedSessions, tokenId)) !== undefined) return true;
      const isRevoked = await lookUp(tokenId);
      if (isRevoked) add(tokenId);
      return isRevoked;
    },
  };
}
