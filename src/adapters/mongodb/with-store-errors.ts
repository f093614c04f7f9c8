/** The port's errors in the place of the driver's. */
import type { SharedReadModel } from '../../kernel/ports/shared-read-model.ts';
import { StoreUnavailable } from '../../kernel/ports/store-unavailable.ts';
import { storeError } from './errors.ts';
import { WriteConflict } from './write-conflict.ts';

/** Every call rejects with `StoreUnavailable` when it may succeed later. */
export function withStoreErrors(port: SharedReadModel): SharedReadModel {
  const calls = Object.entries(port).map(([name, call]) => [
    name,
    async (...parameters: unknown[]): Promise<unknown> => {
      try {
        return await Reflect.apply(call, port, parameters);
      } catch (error) {
        throw error instanceof WriteConflict
          ? new StoreUnavailable(error.message, { cause: error })
          : storeError(error, 'the read model cannot be used');
      }
    },
  ]);
  return Object.fromEntries(calls) as SharedReadModel;
}
