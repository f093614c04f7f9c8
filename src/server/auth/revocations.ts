/** Knows which access tokens were revoked, here or in another process. The log is asked for what the read model does not show yet. */
import { LRUCache } from 'lru-cache';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { revokedSessions } from '../../projections/revoked-sessions.ts';

export interface Revocations {
  /** Takes effect at once, before any read model shows it. */
  add(tokenId: string): void;
  /** Rejects when the log does not answer. */
  has(tokenId: string): Promise<boolean>;
}

export interface RevocationsOptions {
  readonly readModel: Pick<ReadModel, 'get'>;
  /**
   * Whether the read model shows every revocation that this process did not make itself. While it is rebuilt, catches
   * up or is stopped, it does not; and never where other processes write to the log: it shows their events a moment
   * later.
   */
  readonly isComplete: () => boolean;
  /** Asks the log itself. */
  readonly lookUp: (tokenId: string) => Promise<boolean>;
}

/** After so many later revocations, every read model that is complete shows this one. */
const REMEMBERED = 10_000;

export function createRevocations({ readModel, isComplete, lookUp }: RevocationsOptions): Revocations {
  const recent = new LRUCache<string, true>({ max: REMEMBERED });
  const add = (tokenId: string) => void recent.set(tokenId, true);

  return {
    add,
    async has(tokenId) {
      if (recent.has(tokenId)) return true;
      if (isComplete()) return (await readModel.get(revokedSessions, tokenId)) !== undefined;
      const isRevoked = await lookUp(tokenId);
      if (isRevoked) add(tokenId);
      return isRevoked;
    },
  };
}
