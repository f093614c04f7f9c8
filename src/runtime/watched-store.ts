/** Notices when files cannot be stored, tells the operator once, and looks whether they can be again. */
import { type StoreTrouble, StoreUnavailable } from '../ports/store-unavailable.ts';
import { aroundCalls } from './around-calls.ts';

export interface WatchedStore<Store> {
  readonly store: Store;
  /** Looks again whether files can be stored, if they could not. */
  trouble(): Promise<StoreTrouble | undefined>;
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FAILED = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM']);

/** `folder` is shown to the operator alone; `probe` writes something and removes it. */
export function watchStore<Store extends object>(
  store: Store,
  options: {
    /** What the store holds, for logs and readiness: `images`. */
    readonly what: string;
    /** The methods that store something. */
    readonly writes: readonly (keyof Store & string)[];
    readonly folder: string;
    readonly probe: () => Promise<void>;
    readonly report: (message: string, details: object) => void;
  },
): WatchedStore<Store> {
  const { what, folder, probe, report } = options;
  const writes: ReadonlySet<string> = new Set(options.writes);
  let trouble: StoreTrouble | undefined;
  let probing: Promise<void> | undefined;

  function failed(error: unknown): void {
    const found = troubleOf(error, what);
    if (found === undefined || trouble?.reason === found.reason) return;
    trouble = found;
    report(`${what} cannot be stored`, {
      isFailure: true,
      folder,
      cause: found.kind,
      reason: found.reason,
    });
  }

  function worked(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    report(`${what} can be stored again`, { folder });
  }

  return {
    store: aroundCalls(store, async (method, call) => {
      if (!writes.has(method)) return call();
      try {
        const result = await call();
        worked();
        return result;
      } catch (error) {
        failed(error);
        if (troubleOf(error, what) === undefined) throw error;
        throw new StoreUnavailable(`${what} cannot be stored`, { cause: error });
      }
    }),
    async trouble() {
      if (trouble === undefined) return undefined;
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

function troubleOf(error: unknown, what: string): StoreTrouble | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const shown = { where: what, reason: code };
  if (FULL.has(code)) {
    return {
      ...shown,
      kind: 'disk full',
      whatToDo: 'make room: storing goes on by itself (docs/how-to/operate/make-room.md)',
    };
  }
  if (!FAILED.has(code)) return undefined;
  return {
    ...shown,
    kind: 'disk failed',
    whatToDo: 'let the service write to the folder (docs/how-to/operate/make-room.md)',
  };
}
