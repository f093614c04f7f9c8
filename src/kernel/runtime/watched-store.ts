/** Notices when files cannot be stored, tells the operator once, and looks whether they can be again. */

import { LRUCache } from 'lru-cache';
import { ContentDamaged } from '../ports/content-damaged.ts';
import { type StoreTrouble, StoreUnavailable } from '../ports/store-unavailable.ts';
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
    readonly report: (message: string, details: object) => void;
  },
): WatchedStore<Store> {
  const { what, report } = options;
  const writes: ReadonlySet<string> = new Set(options.writes);
  let trouble: StoreTrouble | undefined;
  let probing: Promise<void> | undefined;
  const tellDamaged = damageTeller(what, place, report);

  function failed(error: unknown): void {
    const found = troubleOf(error);
    if (found === undefined || trouble?.reason === found.reason) return;
    trouble = { ...found, where: what };
    report(`${what} cannot be stored`, {
      // A server that was restarted answers again by itself; a full disk does not end without an operator.
      isFailure: found.kind !== 'not answering',
      place,
      cause: found.kind,
      reason: found.reason,
    });
  }

  function worked(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    report(`${what} can be stored again`, { place });
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
function damageTeller(
  what: string,
  place: string,
  report: (message: string, details: object) => void,
): (damaged: ContentDamaged) => void {
  const told = new LRUCache<string, true>({ max: TOLD_DAMAGED, ttl: TOLD_AGAIN });
  return ({ file, message }) => {
    if (told.has(file)) return;
    told.set(file, true);
    report(`${what} are damaged`, { isFailure: true, place, file, reason: message });
  };
}
