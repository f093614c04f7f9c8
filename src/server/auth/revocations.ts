/** Checks whether an access token was revoked, by this process or another one. Reads the log while the read model may lag. */
import { LRUCache } from 'lru-cache';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { revokedSessions } from '../../projections/revoked-sessions.ts';

export type Revocations = ReturnType<typeof createRevocations>;

export interface RevocationsOptions {
  readonly readModel: Pick<ReadModel, 'get'>;
  /**
   * True if the read model contains every revocation of other processes. Always false if other processes write to the
   * log, because the read model lags behind them; also false while it is rebuilt, catching up or stopped.
   */
  readonly isComplete: () => boolean;
  /** Reads the log. */
  readonly lookUp: (tokenId: string) => Promise<boolean>;
}

/** Number of revocations in memory. It is so large that a complete read model contains every evicted one. */
const REMEMBERED = 10_000;

export function createRevocations({ readModel, isComplete, lookUp }: RevocationsOptions) {
  const recent = new LRUCache<string, true>({ max: REMEMBERED });
  const add = (tokenId: string) => void recent.set(tokenId, true);

  return {
    /** Takes effect immediately, before any read model contains it. */
    add,
    /** Rejects if the log cannot be read. */
    async has(tokenId: string) {
      if (recent.has(tokenId)) return true;
      if (isComplete()) return (await readModel.get(revokedSessions, tokenId)) !== undefined;
      const isRevoked = await lookUp(tokenId);
      if (isRevoked) add(tokenId);
      return isRevoked;
    },
  };
}
