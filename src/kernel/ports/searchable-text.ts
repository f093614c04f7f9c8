/** Texts as every read model stores and compares them, so that all give the same answers. */

/** SQLite ends a text at its first NUL, and UTF-8 has no unpaired surrogates. */
export function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

export function searchable(term: string): string {
  // One letter can be encoded in several ways, and a search cannot know which.
  return storable(term.normalize('NFKC').toLowerCase());
}
