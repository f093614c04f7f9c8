/**
 * Keeps the documents of a collection that were read last, so that each is read and parsed once. Not lru-cache 11.5:
 * its exact order makes a hit 1.7 times slower or worse (3 million reads, medians).
 */
import type { Document } from '../../kernel/ports/read-model.ts';

export interface KeptDocuments {
  /**
   * What `read` returns for the key, or returned before. The key must be as in the tables. All callers get the same
   * document, which is therefore immutable.
   */
  get(key: string, read: (key: string) => Document | undefined): Document | undefined;
  /** Must be called when the key's document changes, before the change can be read. */
  forget(key: string): void;
  forgetAll(): void;
}

/** Keeps at least `capacity` recently used keys, and twice as many at most; absence is kept as well. */
export function createKeptDocuments(capacity: number): KeptDocuments {
  // Used entries move to the newer half; when that is full, the older half is dropped. An exact order costs more.
  let newer = new Map<string, Document | undefined>();
  let older = new Map<string, Document | undefined>();

  function keep(key: string, document: Document | undefined): void {
    if (newer.size === capacity) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, document);
  }

  return {
    get(key, read) {
      const known = newer.get(key);
      if (known !== undefined || newer.has(key)) return known;
      const isKnown = older.has(key);
      const document = isKnown ? older.get(key) : read(key);
      if (!isKnown) freeze(document);
      keep(key, document);
      return document;
    },
    forget(key) {
      newer.delete(key);
      older.delete(key);
    },
    forgetAll() {
      newer.clear();
      older.clear();
    },
  };
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
