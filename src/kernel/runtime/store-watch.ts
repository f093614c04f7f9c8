/** Detects that files or read models cannot be written, reports it to the operator once, and probes for recovery. */

import { LRUCache } from 'lru-cache';
import { ContentDamaged, type StoreTrouble, StoreUnavailable } from '../ports/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { SHARED_WRITES, type SharedReadModel } from '../ports/shared-read-model.ts';
import type { OpenedBlobs } from '../ports/technology.ts';
import { wrapCalls } from './wrap-calls.ts';

/** Maximum number of files recently logged as damaged. */
const REPORTED_DAMAGED = 1_000;
/** Milliseconds until a damaged file is logged again. */
const REPORT_INTERVAL = 60 * 60 * 1_000;

export function watchStore<Store extends object>(
  opened: Omit<OpenedBlobs, 'store'> & { readonly store: Store },
  options: {
    /** Content of the store, for logs and readiness: `images`. */
    readonly what: string;
    readonly writes: readonly (keyof Store & string)[];
    readonly logger: Logger;
  },
) {
  const { store, place, troubleOf, probe } = opened;
  const { what, logger } = options;
  const writes: ReadonlySet<string> = new Set(options.writes);
  let trouble: StoreTrouble | undefined;
  let probing: Promise<void> | undefined;
  const reportDamaged = createDamageReporter(what, place, logger);

  function failed(error: unknown): void {
    const found = troubleOf(error);
    if (found === undefined || trouble?.reason === found.reason) return;
    trouble = { ...found, where: what };
    // A restarted server recovers without an operator; a full disk does not.
    const level = found.kind === 'not answering' ? 'warn' : 'error';
    logger[level]({ place, cause: found.kind, reason: found.reason }, `${what} cannot be stored`);
  }

  function worked(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    logger.warn({ place }, `${what} can be stored again`);
  }

  return {
    store: wrapCalls(store, async (method, call) => {
      if (!writes.has(method))
        return call().catch((error: unknown) => {
          if (error instanceof ContentDamaged) reportDamaged(error);
          throw error;
        });
      try {
        const result = await call();
        worked();
        return result;
      } catch (error) {
        failed(error);
        if (troubleOf(error) === undefined) throw error;
        throw new StoreUnavailable(`${what} cannot be stored`, { cause: error });
      }
    }),
    /** If files could not be stored, probes again. */
    async trouble(): Promise<StoreTrouble | undefined> {
      if (trouble === undefined) {
        const known = opened.trouble?.();
        return known && { ...known, where: what };
      }
      // Readiness is public, so concurrent requests share one probe.
      probing ??= probe()
        .then(worked, failed)
        .finally(() => {
          probing = undefined;
        });
      await probing;
      return trouble;
    },
  };
}

/** Logs each damaged file at intervals, regardless of the number of reads. */
function createDamageReporter(
  what: string,
  place: string,
  logger: Logger,
): (damaged: ContentDamaged) => void {
  const told = new LRUCache<string, true>({ max: REPORTED_DAMAGED, ttl: REPORT_INTERVAL });
  return ({ file, message }) => {
    if (told.has(file)) return;
    told.set(file, true);
    logger.error({ place, file, reason: message }, `${what} are damaged`);
  };
}

/** Records why this process cannot write shared read models, until a write succeeds; readiness reports it. */
export function watchWrites(readModel: SharedReadModel) {
  let failure: StoreUnavailable | undefined;
  return {
    readModel: wrapCalls(readModel, async (method, call) => {
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
    /** Failure of the last write; undefined after a success. */
    failure: () => failure,
  };
}
