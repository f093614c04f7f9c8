/** Knows which access tokens were revoked, here or in another process. The log is asked for what the read model does not show yet. */
import { LRUCache } from 'lru-cache';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { revokedSessions } from '../../projections/revoked-sessions.ts';

export type Revocations = ReturnType<typeof createRevocations>;

export interface RevocationsOptions {
  readonly readModel: Pick<ReadModel, 'get'>;
  /**
   * True if the read model shows every revocation that this process did not make itself. It does not while it is rebuilt,
   * catches up or is stopped, and never where other processes write to the log: it shows their events a moment later.
   */
  readonly isComplete: () => boolean;
  /** Asks the log itself. */
  readonly lookUp: (tokenId: string) => Promise<boolean>;
}

/** After so many later revocations, every read model that is complete shows this one. */
const REMEMBERED = 10_000;

export function createRevocations({ readModel, isComplete, lookUp }: RevocationsOptions) {
  const recent = new LRUCache<string, true>({ max: REMEMBERED });
  const add = (tokenId: string) => void recent.set(tokenId, true);

  return {
    /** Takes effect at once, before any read model shows it. */
    add,
    /** Rejects when the log does not answer. */
    async has(tokenId: string) {
      if (recent.has(tokenId)) return true;
      if (isComplete()) return (await readModel.get(revokedSessions, tokenId)) !== undefined;
      const isRevoked = await lookUp(tokenId);
      if (isRevoked) add(tokenId);
      return isRevoked;
    },
  };
}
