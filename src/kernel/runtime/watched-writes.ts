/** Remembers why shared read models cannot be written here, until a write succeeds: readiness tells it. */

import { StoreUnavailable } from '../ports/errors.ts';
import { SHARED_WRITES, type SharedReadModel } from '../ports/shared-read-model.ts';
import { aroundCalls } from './around-calls.ts';

export interface WatchedWrites {
  readonly readModel: SharedReadModel;
  /** Why the last write failed; undefined once one succeeds. */
  failure(): StoreUnavailable | undefined;
}

export function watchWrites(readModel: SharedReadModel): WatchedWrites {
  let failure: StoreUnavailable | undefined;
  return {
    readModel: aroundCalls(readModel, async (method, call) => {
      if (!SHARED_WRITES.has(method)) return call();
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
