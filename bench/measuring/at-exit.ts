/** Cleans up servers and files of the benchmarks, even after an interruption. */

const cleanups = new Set<() => void>();

process.once('exit', () => {
  for (const cleanup of [...cleanups].reverse()) cleanup();
});

/** Runs the function when this process ends, the last added first, unless the returned function was called before. */
export function atExit(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}
