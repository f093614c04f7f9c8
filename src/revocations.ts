/** Which access tokens were given back: as the read model knows it, and at once where it happened in this process. */
import type { ReadModel } from './ports/read-model.ts';
import { revokedSessions } from './projections/revoked-sessions.ts';

export interface Revocations {
  /** Counts from now on, before any read model shows it. */
  add(tokenId: string): void;
  has(tokenId: string): Promise<boolean>;
}

/** By the time that so many came after it, every read model that works has learned of a revocation. */
const REMEMBERED = 10_000;

export function createRevocations(readModel: ReadModel): Revocations {
  const recent = new Set<string>();
  return {
    add(tokenId) {
      recent.add(tokenId);
      const [oldest] = recent;
      if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
    },
    async has(tokenId) {
      return recent.has(tokenId) || (await readModel.get(revokedSessions, tokenId)) !== undefined;
    },
  };
}
