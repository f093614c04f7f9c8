/** Notices when images cannot be stored, tells the operator once, and looks whether they can be again. */
import type { ImageStore } from '../ports/image-store.ts';
import { type StoreTrouble, StoreUnavailable } from '../ports/store-unavailable.ts';
import { withMethods } from '../runtime/around-calls.ts';

export interface WatchedImages {
  readonly images: ImageStore;
  /** Looks again whether images can be stored, if they could not. */
  trouble(): Promise<StoreTrouble | undefined>;
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const FAILED = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM']);

/** `folder` is shown to the operator alone; `probe` writes something and removes it. */
export function watchImages(
  store: ImageStore,
  options: {
    readonly folder: string;
    readonly probe: () => Promise<void>;
    readonly report: (message: string, details: object) => void;
  },
): WatchedImages {
  const { folder, probe, report } = options;
  let trouble: StoreTrouble | undefined;
  let probing: Promise<void> | undefined;

  function failed(error: unknown): void {
    const found = troubleOf(error);
    if (found === undefined || trouble?.reason === found.reason) return;
    trouble = found;
    report('images cannot be stored', {
      isFailure: true,
      folder,
      cause: found.kind,
      reason: found.reason,
    });
  }

  function worked(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    report('images can be stored again', { folder });
  }

  async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      worked();
      return result;
    } catch (error) {
      failed(error);
      if (troubleOf(error) === undefined) throw error;
      throw new StoreUnavailable('the image cannot be stored', { cause: error });
    }
  }

  return {
    images: withMethods(store, {
      put: (cid, bytes) => watched(() => store.put(cid, bytes)),
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

function troubleOf(error: unknown): StoreTrouble | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const shown = { where: 'images', reason: code };
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
