/** Keeps files open that are read again and again: opening one costs more than reading a few hundred bytes of it. */
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { isAbsent } from './left-alone-files.ts';

export interface OpenedFile {
  readonly handle: FileHandle;
  /** In bytes, when it was opened. */
  readonly size: number;
}

export interface OpenFiles {
  /** Opens the file, or takes the one that is open already; undefined if there is none. */
  use<Result>(path: string, work: (file: OpenedFile) => Promise<Result>): Promise<Result | undefined>;
  /** Closes the file once nobody reads it. */
  forget(path: string): void;
  /** Resolves when all files are closed. */
  close(): Promise<void>;
}

interface Kept {
  readonly opened: Promise<OpenedFile>;
  users: number;
  isForgotten: boolean;
}

/** At most `maximum` files are kept open for `idle` milliseconds after their opening; those in use stay open longer. */
export function createOpenFiles(options: { readonly maximum: number; readonly idle: number }): OpenFiles {
  const closing = new Set<Promise<void>>();
  const kept = new LRUCache<string, Kept>({
    max: options.maximum,
    ttl: options.idle,
    dispose: (file) => {
      file.isForgotten = true;
      closeUnused(file);
    },
  });

  function closeUnused(file: Kept): void {
    if (file.users > 0 || !file.isForgotten) return;
    const closed = file.opened
      .then(({ handle }) => handle.close())
      .catch(() => undefined)
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function openFile(path: string): Promise<OpenedFile> {
    const handle = await open(path, 'r');
    try {
      return { handle, size: (await handle.stat()).size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  return {
    async use(path, work) {
      let file = kept.get(path);
      if (file === undefined) {
        kept.purgeStale();
        file = { opened: openFile(path), users: 0, isForgotten: false };
        kept.set(path, file);
      }
      file.users += 1;
      try {
        const opened = await file.opened.catch((error: unknown) => {
          if (kept.peek(path) === file) kept.delete(path);
          if (isAbsent(error)) return undefined;
          throw error;
        });
        return opened && (await work(opened));
      } finally {
        file.users -= 1;
        closeUnused(file);
      }
    },
    forget: (path) => void kept.delete(path),
    async close() {
      kept.clear();
      while (closing.size > 0) await Promise.all(closing);
    },
  };
}
