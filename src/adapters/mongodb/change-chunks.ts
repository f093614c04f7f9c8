/** Parts a commit into steps, so that what one step intends stays small. */

/** A single larger change is a chunk by itself. */
export function* chunksOf<Change extends { readonly bytes: number }>(
  changes: readonly Change[],
  most: { readonly changes: number; readonly bytes: number },
): Generator<readonly Change[], void> {
  let chunk: Change[] = [];
  let bytes = 0;
  for (const change of changes) {
    if (chunk.length === most.changes || (chunk.length > 0 && bytes + change.bytes > most.bytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(change);
    bytes += change.bytes;
  }
  if (chunk.length > 0) yield chunk;
}
