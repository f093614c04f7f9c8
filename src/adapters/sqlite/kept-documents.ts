/**
 * Keeps the documents of a collection that were read last, so that each is read and parsed once. Not lru-cache 11.5: its exact order makes
 * a hit 1.7 times slower or worse (3 million reads, medians).
 */
import type { Document } from '../../ports/read-model.ts';

export interface KeptDocuments {
  /**
   * What `read` gives for the key, or gave before. The key must be as the tables have it. All get the same document, which
   * therefore cannot be changed.
   */
  get(key: string, read: (key: string) => Document | undefined): Document | undefined;
  /** To be called when what is under the key changes, before the change can be read. */
  forget(key: string): void;
  forgetAll(): void;
}

/** So many were asked for last, at least, and twice as many at most: that nothing is there is kept as well. */
export function createKeptDocuments(capacity: number): KeptDocuments {
  // Whatever is used moves to the newer half; when that is full, the older half goes. To put each in order costs more.
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
