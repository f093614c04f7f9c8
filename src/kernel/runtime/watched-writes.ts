/** Remembers why shared read models cannot be written here, until a write succeeds: readiness tells it. */
import type { SharedReadModel } from '../ports/shared-read-model.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { aroundCalls } from './around-calls.ts';

const WRITES: ReadonlySet<string> = new Set<keyof SharedReadModel>([
  'beginTerm',
  'writeProgress',
  'prepare',
  'commit',
  'renew',
  'goLive',
]);

export interface WatchedWrites {
  readonly readModel: SharedReadModel;
  /** Why the last write failed; undefined once one succeeds. */
  failure(): StoreUnavailable | undefined;
}

export function watchWrites(readModel: SharedReadModel): WatchedWrites {
  let failure: StoreUnavailable | undefined;
  return {
    readModel: aroundCalls(readModel, async (method, call) => {
      if (!WRITES.has(method)) return call();
      try {
        const result = await call();
        failure = undefined;
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) failure = error;
        throw error;
      }
    }),
    failure: () => failure,
  };
}
