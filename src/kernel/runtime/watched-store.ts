/** Notices when files cannot be stored, tells the operator once, and looks whether they can be again. */

import { LRUCache } from 'lru-cache';
import { ContentDamaged, type StoreTrouble, StoreUnavailable } from '../ports/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { aroundCalls } from './around-calls.ts';

/** Files of which the log has said lately that they are damaged. */
const TOLD_DAMAGED = 1_000;
/** Milliseconds after which it says so again. */
const TOLD_AGAIN = 60 * 60 * 1_000;

export interface WatchedStore<Store> {
  readonly store: Store;
  /** Looks again whether files can be stored, if they could not. */
  trouble(): Promise<StoreTrouble | undefined>;
}

/** What an adapter opened, with what it knows of the errors of its calls. */
interface Watchable<Store> {
  readonly store: Store;
  /** For the operator alone. */
  readonly place: string;
  readonly troubleOf: (error: unknown) => Omit<StoreTrouble, 'where'> | undefined;
  /** Writes something and removes it. */
  readonly probe: () => Promise<void>;
  /** What keeps it from working, where it knows without a call. */
  readonly trouble?: (() => StoreTrouble | undefined) | undefined;
}

export function watchStore<Store extends object>(
  { store, place, troubleOf, probe, trouble: known }: Watchable<Store>,
  options: {
    /** What the store holds, for logs and readiness: `images`. */
    readonly what: string;
    /** The methods that store something. */
    readonly writes: readonly (keyof Store & string)[];
    readonly logger: Logger;
  },
): WatchedStore<Store> {
  const { what, logger } = options;
  const writes: ReadonlySet<string> = new Set(options.writes);
  let trouble: StoreTrouble | undefined;
  let probing: Promise<void> | undefined;
  const tellDamaged = damageTeller(what, place, logger);

  function failed(error: unknown): void {
    const found = troubleOf(error);
    if (found === undefined || trouble?.reason === found.reason) return;
    trouble = { ...found, where: what };
    // A server that was restarted answers again by itself; a full disk does not end without an operator.
    const level = found.kind === 'not answering' ? 'warn' : 'error';
    logger[level]({ place, cause: found.kind, reason: found.reason }, `${what} cannot be stored`);
  }

  function worked(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    logger.warn({ place }, `${what} can be stored again`);
  }

  return {
    store: aroundCalls(store, async (method, call) => {
      if (!writes.has(method))
        return call().catch((error: unknown) => {
          if (error instanceof ContentDamaged) tellDamaged(error);
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
    async trouble() {
      if (trouble === undefined) {
        const found = known?.();
        return found && { ...found, where: what };
      }
      // Readiness is public: however many ask, one looks.
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

/** Reports each damaged file once in a while, however often it is asked for. */
function damageTeller(what: string, place: string, logger: Logger): (damaged: ContentDamaged) => void {
  const told = new LRUCache<string, true>({ max: TOLD_DAMAGED, ttl: TOLD_AGAIN });
  return ({ file, message }) => {
    if (told.has(file)) return;
    told.set(file, true);
    logger.error({ place, file, reason: message }, `${what} are damaged`);
  };
}
