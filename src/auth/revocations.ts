/** Knows which access tokens were revoked, here or in another process. The log is asked for what the read model does not show yet. */
import { LRUCache } from 'lru-cache';
import type { ReadModel } from '../ports/read-model.ts';
import { revokedSessions } from '../projections/revoked-sessions.ts';

export interface Revocations {
  /** Takes effect at once, before any read model shows it. */
  add(tokenId: string): void;
  /** Rejects when the log does not answer. */
  has(tokenId: string): Promise<boolean>;
}

/** After so many later revocations, every working read model shows this one. */
const REMEMBERED = 10_000;

/**
 * `lookUp` asks the log itself. It is needed where other processes write to the log: a read model shows their events a
 * moment later, and a revoked token must not be accepted for that moment.
 */
export function createRevocations(
  readModel: ReadModel,
  lookUp: (tokenId: string) => Promise<boolean> = async () => false,
): Revocations {
  const recent = new LRUCache<string, true>({ max: REMEMBERED });
  const add = (tokenId: string) => void recent.set(tokenId, true);

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
