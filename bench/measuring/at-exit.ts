/** What must not outlast the benchmarks even if they are interrupted: servers and files. */

const cleanups = new Set<() => void>();

process.once('exit', () => {
  for (const cleanup of [...cleanups].reverse()) cleanup();
});

/** Runs when this process ends, what was added last first, unless the function that is returned was called before. */
export function atExit(cleanup: () => void): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}
